// The position of an amount on a logarithmic track, whose equal parts are equal ratios.

/** Return the position of a value between two ends, from 0 to 1; a value outside is at the nearer end. */
export function placeOf(value, { least, most }) {
  const place = Math.log(value / least) / Math.log(most / least);
  return Math.min(Math.max(place, 0), 1);
}

/** Return the value at a position from 0 to 1, to three digits. */
export function valueAt(place, { least, most }) {
  const exact = least * (most / least) ** place;
  return Math.min(Math.max(Number(exact.toPrecision(3)), least), most);
}
