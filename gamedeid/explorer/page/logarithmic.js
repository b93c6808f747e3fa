// Where an amount stands on a way whose equal parts are equal ratios.

/** Return where a value stands between two ends, from 0 to 1; what is outside stands at the end. */
export function placeOf(value, { least, most }) {
  const place = Math.log(value / least) / Math.log(most / least);
  return Math.min(Math.max(place, 0), 1);
}

/** Return the value at a place from 0 to 1, to three digits. */
export function valueAt(place, { least, most }) {
  const exact = least * (most / least) ** place;
  return Math.min(Math.max(Number(exact.toPrecision(3)), least), most);
}
