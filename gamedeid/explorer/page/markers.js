// Markers of the policy and each game in a picture: they differ by shape and by colour.

import { drawn } from "./elements.js";

const SHAPES = {
  basic: (r) => drawn("circle", { r }),
  "sh-friendly": (r) => drawn("path", { d: `M0 ${-1.15 * r}L${1.1 * r} ${0.9 * r}H${-1.1 * r}Z` }),
  "no-attack": (r) => drawn("path", { d: `M0 ${-1.25 * r}L${1.25 * r} 0L0 ${1.25 * r}L${-1.25 * r} 0Z` }),
};
const policyShape = (r) => drawn("rect", { x: -r, y: -r, width: 2 * r, height: 2 * r });

/** Return the marker of a policy or game around (0, 0). */
export function marker(name, radius, hollow = false) {
  const made = (SHAPES[name] ?? policyShape)(radius);
  made.setAttribute("class", `marker ${name in SHAPES ? name : "policy"}${hollow ? " ghost" : ""}`);
  return made;
}

/** Return the marker as a small separate drawing, for the head of a column. */
export function badge(name) {
  return drawn("svg", { class: "badge", viewBox: "-8 -8 16 16", "aria-hidden": "true" }, marker(name, 5.5));
}
