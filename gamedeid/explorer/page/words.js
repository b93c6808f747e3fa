// Texts of amounts: the formats of the terminal and the report, in the page.

const grouped = (value, digits) =>
  value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Return an amount of money to the cent, and with three digits if it rounds to none; only 0 reads as $0.00. */
export function dollars(value) {
  const amount = Math.abs(value);
  if (amount <= 1e-9) return "$0.00";
  const digits = amount < 0.005 ? { maximumSignificantDigits: 3 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return `${value < 0 ? "-" : ""}$${amount.toLocaleString("en-US", digits)}`;
}

/** Return an amount chosen by a user, without cents if it is a whole number. */
export function money(value) {
  if (Number.isInteger(value)) return `$${grouped(value, 0)}`;
  return value < 0.01 ? `$${Number(value.toPrecision(4))}` : dollars(value);
}

/** Return a share in percent; only 0 and 1 read as 0% and 100%. */
export function percent(share, digits = 2) {
  const text = `${(100 * share).toFixed(digits)}%`;
  const least = (10 ** -digits).toFixed(digits);
  if (share > 0 && text === `${(0).toFixed(digits)}%`) return `<${least}%`;
  if (1 - share > 1e-12 && text === `${(100).toFixed(digits)}%`) return `>${(100 - 10 ** -digits).toFixed(digits)}%`;
  return text.replace("-0.00%", "0.00%");
}

/** Return an expected number of people. */
export function expected(value) {
  return value > 0 && value < 0.05 ? "<0.1" : grouped(value, 1);
}

/** Return a count. */
export function whole(value) {
  return grouped(value, 0);
}

/** Return a number of records; null means 1 to 10, which are not distinguished. */
export function records(value) {
  if (value === null) return "fewer than 11 records";
  return value === 1 ? "1 record" : `${whole(value)} records`;
}

/** Return words that begin a sentence or the head of a column. */
export function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const GAMES = { basic: "basic", "sh-friendly": "sh-friendly", "no-attack": "no-attack" };

/** Return the name of a policy or a game for the head of a column. */
export function heading(policy) {
  if (policy.kind === "game") return GAMES[policy.name] ?? policy.name;
  return capital((policy.words ?? policy.name).replace(/^the /, ""));
}

/** Return the typed amount; null if it is not an amount. */
export function typedAmount(text) {
  const bare = text.trim().replace(/^\$/, "").replace(/(\d),(?=\d{3}(\D|$))/g, "$1");
  return /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(bare) ? Number(bare) : null;
}
