// How the page asks the server: one request, and what is said when it fails.

/** The input is wrong, or the server has a fault: its line in plain words. */
export class Refused extends Error {}

/** The setting was left while the answer was computed. */
export class Superseded extends Error {}

/** Nobody answers at the server's address. */
export class Gone extends Error {}

/** Return the answer to a request of the page. */
export async function ask(name, content = {}) {
  let response;
  try {
    response = await fetch(`api/${name}`, { method: "POST", body: JSON.stringify(content) });
  } catch {
    throw new Gone("The explorer does not answer.");
  }
  const found = await response.json().catch(() => ({}));
  if (response.status === 409) throw new Superseded(found.error);
  if (!response.ok) throw new Refused(found.error ?? `The explorer refused this request (${response.status}).`);
  return found;
}
