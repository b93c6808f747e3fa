// One map over benefit and loss on a canvas: a colour for each cell, a cross at the setting, a frame around the cell being read, and amounts along two sides.

import { colourOf } from "./colours.js";
import { element } from "./elements.js";
import { badge } from "./markers.js";
import { placeOf } from "./logarithmic.js";

const SIDE = 300; // pixels of the canvas, which the style scales to the available room

/** The map of a policy or a game. */
export class HeatMap {
  constructor(name, title) {
    this.name = name;
    this.canvas = element("canvas", { width: SIDE, height: SIDE, "aria-hidden": "true" });
    [this.up, this.across] = ["up", "across"].map((side) => element("div", { class: `axis ${side}` }));
    const plot = element("div", { class: "plot", "aria-hidden": "true" }, this.up, this.canvas, this.across);
    this.element = element("figure", { class: "heat" }, element("figcaption", {}, badge(name), title), plot);
  }

  /** Draw the computed cells. `values[row][column]` is a share of the scale, or null if not computed. */
  draw({ values, benefits, losses, setting, cell }) {
    if (benefits !== this.benefits) {
      this.benefits = benefits;
      this.across.replaceChildren(...ticks(benefits, "left"), element("span", { class: "axis-title" }, "Benefit, $"));
      this.up.replaceChildren(...ticks(losses, "bottom"), element("span", { class: "axis-title" }, "Loss, $"));
    }
    const pen = this.canvas.getContext("2d");
    const [wide, high] = [SIDE / benefits.length, SIDE / losses.length];
    pen.clearRect(0, 0, SIDE, SIDE);
    values.forEach((row, line) => row?.forEach((share, column) => {
      if (share === null) return;
      pen.fillStyle = colourOf(share);
      pen.fillRect(Math.floor(column * wide), Math.floor(SIDE - (line + 1) * high), Math.ceil(wide), Math.ceil(high));
    }));
    if (cell) outline(pen, cell.column * wide, SIDE - (cell.row + 1) * high, wide, high);
    cross(pen, SIDE * shareOf(setting.benefit, benefits), SIDE * (1 - shareOf(setting.loss, losses)));
  }

  /** Return the row and column at a place of the window. */
  cellAt({ clientX, clientY }, columns, rows) {
    const box = this.canvas.getBoundingClientRect();
    const within = (share, count) => Math.min(Math.max(Math.floor(share * count), 0), count - 1);
    return { column: within((clientX - box.left) / box.width, columns), row: within((box.bottom - clientY) / box.height, rows) };
  }
}

/** Return the position of an amount along a side of the map, from 0 to 1: the least value is in the middle of the first cell. */
function shareOf(value, values) {
  return (0.5 + (values.length - 1) * placeOf(value, { least: values[0], most: values.at(-1) })) / values.length;
}

/** Return the powers of ten within the range of values, each at its position from a side. */
function ticks(values, side) {
  const [first, last] = [Math.ceil(Math.log10(values[0]) - 1e-9), Math.floor(Math.log10(values.at(-1)) + 1e-9)];
  return Array.from({ length: last - first + 1 }, (_, place) => {
    const words = (10 ** (first + place)).toLocaleString("en-US", { notation: "compact", maximumSignificantDigits: 1 });
    const tick = element("span", { class: "tick" }, words);
    tick.style[side] = `${100 * shareOf(10 ** (first + place), values)}%`;
    return tick;
  });
}

function outline(pen, x, y, width, height) {
  for (const [colour, line] of [["#000", 5], ["#fff", 2.5]]) {
    pen.strokeStyle = colour;
    pen.lineWidth = line;
    pen.strokeRect(x, y, width, height);
  }
}

/** Draw a cross that is visible on every colour: black around white. */
function cross(pen, x, y) {
  for (const [colour, line] of [["#000", 6], ["#fff", 2.5]]) {
    pen.strokeStyle = colour;
    pen.lineWidth = line;
    pen.beginPath();
    pen.moveTo(x - 13, y);
    pen.lineTo(x + 13, y);
    pen.moveTo(x, y - 13);
    pen.lineTo(x, y + 13);
    pen.stroke();
  }
}
