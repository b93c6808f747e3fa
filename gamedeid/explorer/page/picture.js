// Payoff against expected re-identifications: a point for the policy and each game, now and in another answer.

import { drawn, element, write } from "./elements.js";
import { marker } from "./markers.js";
import { expected, heading, percent, whole } from "./words.js";

const HEIGHT = 250;
const EDGE = { left: 58, right: 18, top: 14, bottom: 44 };

/** A picture that is drawn anew for every answer. */
export class Picture {
  constructor(place) {
    this.canvas = drawn("svg", { role: "img" });
    this.hollow = element("span");
    place.append(this.canvas, element("figcaption", { class: "note" },
      "Publisher's payoff as share of the benefit, against expected re-identifications. Better is up and left. Hollow: ", this.hollow, "."));
    new ResizeObserver(() => this.last && this.show(...this.last)).observe(place);
  }

  /** Show an answer together with another one, and name the other one. */
  show(answer, other, words) {
    this.last = [answer, other, words];
    write(this.hollow, words);
    const width = Math.max(this.canvas.clientWidth, 280);
    const now = pointsOf(answer);
    const before = pointsOf(other);
    const [across, up] = axes([...now, ...before], width);
    const ghosts = before.map((point) => at(marker(point.name, 6, true), across(point.x), up(point.y)));
    const traces = now.map((point, place) => before[place] && drawn("line", {
      class: "trace", x1: across(before[place].x), y1: up(before[place].y), x2: across(point.x), y2: up(point.y),
    })).filter(Boolean);
    const points = now.map((point) => at(marker(point.name, 6), across(point.x), up(point.y)));
    this.canvas.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    this.canvas.setAttribute("height", HEIGHT);
    this.canvas.setAttribute("aria-label", `Payoff against expected re-identifications. ${now.map(pointWords).join("; ")}.`);
    this.canvas.replaceChildren(...grid(across, up, width), ...traces, ...ghosts, ...points, ...labels(now, across, up, width));
  }
}

function pointsOf({ policies, setting }) {
  return policies.map((policy) => ({
    name: policy.name, label: heading(policy), x: policy.measures.expected_reidentifications,
    y: policy.measures.publisher_payoff / setting.benefit,
  }));
}

const pointWords = ({ label, x, y }) => `${label}: ${shareWords(y)} of the benefit, ${expected(x)} expected`;
const shareWords = (share) => (share < 0 ? `-${percent(-share, 1)}` : percent(share, 1));

function at(shape, x, y) {
  shape.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
  return shape;
}

/** Return two functions from values to places; each has the values of its grid lines in `ticks`. */
function axes(points, width) {
  const most = Math.max(1e-9, ...points.map((point) => point.x));
  const least = Math.min(1, ...points.map((point) => point.y));
  const acrossTicks = ticks(0, most, 6);
  const upTicks = ticks(least, 1, 5);
  const across = scale(0, Math.max(most, acrossTicks.at(-1)), EDGE.left, width - EDGE.right);
  const up = scale(Math.min(least, upTicks[0]), 1, HEIGHT - EDGE.bottom, EDGE.top);
  return [Object.assign(across, { ticks: acrossTicks }), Object.assign(up, { ticks: upTicks })];
}

const scale = (least, most, from, to) => (value) => from + ((value - least) / (most - least || 1)) * (to - from);

/** Return round values from at most the least to at least the most. */
function ticks(least, most, about) {
  const raw = (most - least || 0.1) / about;
  const unit = 10 ** Math.floor(Math.log10(raw));
  const step = unit * ([1, 2, 5, 10].find((times) => times * unit >= raw * 0.999) ?? 10);
  const first = Math.floor(least / step + 1e-9);
  const last = Math.ceil(most / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, place) => Number(((first + place) * step).toPrecision(12)));
}

function grid(across, up, width) {
  const bottom = HEIGHT - EDGE.bottom;
  const lines = [
    ...across.ticks.map((x) => [drawn("line", { class: "grid", x1: across(x), x2: across(x), y1: EDGE.top, y2: bottom }),
      text(across(x), bottom + 16, "middle", Number.isInteger(x) ? whole(x) : String(x))]),
    ...up.ticks.map((y) => [drawn("line", { class: "grid", x1: EDGE.left, x2: width - EDGE.right, y1: up(y), y2: up(y) }),
      text(EDGE.left - 8, up(y) + 4, "end", `${Number((100 * y).toPrecision(6))}%`)]),
  ].flat();
  return [...lines, text((EDGE.left + width - EDGE.right) / 2, HEIGHT - 6, "middle", "expected re-identifications", "axis")];
}

function text(x, y, anchor, words, kind = "tick") {
  return drawn("text", { x: x.toFixed(1), y: y.toFixed(1), "text-anchor": anchor, class: kind }, words);
}

/** Return the names next to the points; names that would overlap are placed one below the other. */
function labels(points, across, up, width) {
  const taken = [];
  return [...points].sort((one, other) => one.y - other.y || one.x - other.x).map(({ label, x, y }) => {
    const left = across(x) + 8 * label.length + 16 > width;
    const place = across(x) + (left ? -11 : 11);
    const near = (line) => taken.some(([otherPlace, otherLine]) => Math.abs(otherPlace - place) < 84 && Math.abs(otherLine - line) < 14);
    const wanted = Math.min(Math.max(up(y) + 4, EDGE.top + 8), HEIGHT - EDGE.bottom - 4);
    const line = [0, -15, 15, -30, 30, -45, 45].map((shift) => wanted + shift).find((one) => one > EDGE.top && one < HEIGHT - EDGE.bottom && !near(one)) ?? wanted;
    taken.push([place, line]);
    return text(place, line, left ? "end" : "start", label, "name");
  });
}
