// The colour scale of all maps: cividis, which looks alike in every kind of colour vision.

const STOPS = ["00224e", "123570", "3b496c", "575d6d", "707173", "8a8678", "a59c74", "c3b369", "e1cc55", "fee838"]
  .map((hex) => [0, 2, 4].map((start) => parseInt(hex.slice(start, start + 2), 16)));

/** Return the colour at a share of the scale, from 0 to 1; values beyond have the colour of the nearer end. */
export function colourOf(share) {
  const place = Math.min(Math.max(share, 0), 1) * (STOPS.length - 1);
  const low = Math.min(Math.floor(place), STOPS.length - 2);
  const mixed = STOPS[low].map((part, channel) => Math.round(part + (place - low) * (STOPS[low + 1][channel] - part)));
  return `rgb(${mixed.join(" ")})`;
}
