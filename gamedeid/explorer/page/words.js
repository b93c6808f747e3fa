// How amounts read: the formats of the terminal and the report, in the page.

const grouped = (value, digits) =>
  value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Return an amount of money to the cent, and with three digits where it rounds to none; only 0 reads as $0.00. */
export function dollars(value) {
  const amount = Math.abs(value);
  if (amount <= 1e-9) return "$0.00";
  const digits = amount < 0.005 ? { maximumSignificantDigits: 3 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return `${value < 0 ? "-" : ""}$${amount.toLocaleString("en-US", digits)}`;
}

/** Return an amount that somebody chose: without cents where there are none. */
export function money(value) {
  if (Number.isInteger(value)) return `$${grouped(value, 0)}`;
  return value < 0.01 ? `$${Number(value.toPrecision(4))}` : dollars(value);
}

/** Return a share in percent; what only rounds to none or to all does not read so. */
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

/** Return a number of records; null stands for 1 to 10, which are not told apart. */
export function records(value) {
  if (value === null) return "fewer than 11 records";
  return value === 1 ? "1 record" : `${whole(value)} records`;
}

/** Return words that begin a sentence or the head of a column. */
export function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const GAMES = { basic: "basic", "sh-friendly": "sh-friendly", "no-attack": "no-attack" };

/** Return what stands for a policy or a game at the head of a column. */
export function heading(policy) {
  if (policy.kind === "game") return GAMES[policy.name] ?? policy.name;
  return capital((policy.words ?? policy.name).replace(/^the /, ""));
}

/** Return the amount that somebody typed; null where it is none. */
export function typedAmount(text) {
  const bare = text.trim().replace(/^\$/, "").replace(/(\d),(?=\d{3}(\D|$))/g, "$1");
  return /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(bare) ? Number(bare) : null;
}
