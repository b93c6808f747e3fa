// Requests of the page to the server, and the messages if they fail.

import { byId, write } from "./elements.js";

/** The input is wrong, or the server has a fault: its message. */
export class Refused extends Error {}

/** The setting changed while the answer was computed. */
export class Superseded extends Error {}

/** No answer from the server's address. */
export class Gone extends Error {}

/** Show whether the server does not answer; the old figures are then grey. */
function ended(is) {
  const place = byId("gone");
  write(place, is ? "The explorer has ended, or does not answer. The grey figures are its last answer; changes are not answered. Start it again with “gamedeid explore”, and open the address that it prints." : "");
  place.hidden = !is;
  document.body.classList.toggle("ended", is);
}

/** Return the answer to a request of the page. */
export async function ask(name, content = {}) {
  let response;
  try {
    response = await fetch(`api/${name}`, { method: "POST", body: JSON.stringify(content) });
  } catch {
    ended(true);
    throw new Gone("The explorer does not answer.");
  }
  ended(false);
  const found = await response.json().catch(() => ({}));
  if (response.status === 409) throw new Superseded(found.error);
  if (!response.ok) throw new Refused(found.error ?? `The explorer refused this request (${response.status}).`);
  return found;
}

const STEP = 500; // milliseconds between two requests for progress

/** Return the answer to a request for long work; a place shows the progress meanwhile. */
export async function watched(place, answer) {
  let over = false;
  place.replaceChildren("Under way.");
  const asked = setInterval(() => ask("progress").then(({ phase, done, total }) => {
    if (phase && !over) place.replaceChildren(`Under way: ${phase}${total ? `, ${done} of ${total}` : ""}.`);
  }, () => {}), STEP);
  try {
    return await answer;
  } finally {
    over = true;
    clearInterval(asked);
  }
}
