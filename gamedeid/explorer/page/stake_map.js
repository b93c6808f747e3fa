// The maps over benefit and loss, filled in the background: one measure of the policy and each game, one scale.

import { colourOf } from "./colours.js";
import { element, write } from "./elements.js";
import { HeatMap } from "./heat_map.js";
import { expected, heading, money, percent } from "./words.js";

const MEASURES = {
  attacked: ["Attacked share", (value) => percent(value, 1), 1],
  publisher_payoff: ["Payoff as share of the benefit", (value) => (value < 0 ? "less than 0%" : percent(value, 1)), 1],
  expected_reidentifications: ["Expected re-identifications", expected, null],
  withheld: ["Withheld share", (value) => percent(value, 1), 1],
  generalization_intensity: ["Generalization intensity", (value) => value.toFixed(2), 1],
};

/** The maps, their scale and their readout; `chosen(benefit, loss)` is called when the user picks a cell. */
export class StakeMap {
  constructor(place, chosen) {
    this.rows = [];
    this.have = 0;
    this.key = null;
    this.cell = null;
    this.setting = null;
    this.chosen = chosen;
    this.names = [];
    this.measure = element("select", { id: "map-measure" }, ...Object.entries(MEASURES).map(([key, [title]]) => element("option", { value: key }, title)));
    this.field = element("div", {
      class: "heats", tabindex: 0, role: "application", "aria-label": "Map over benefit and loss", "aria-describedby": "map-how map-words",
    });
    this.words = element("p", { class: "readout", id: "map-words", "aria-live": "polite" });
    this.scale = element("canvas", { width: 200, height: 1, class: "scale", "aria-hidden": "true" });
    [this.least, this.most, this.state] = ["scale-end", "scale-end", "soft"].map((kind) => element("span", { class: kind }));
    this.ends = element("p", { class: "note", id: "map-how" });
    const legend = element("span", { class: "legend" }, this.least, this.scale, this.most);
    place.append(
      element("div", { class: "bar-of-choices" }, element("label", { for: "map-measure" }, "Show"), this.measure, legend, this.state),
      this.field, this.words, this.ends);
    this.#paintScale();
    this.measure.addEventListener("change", () => this.draw());
    this.field.addEventListener("pointerleave", () => this.#show(null));
    this.field.addEventListener("blur", () => this.#show(null));
    this.field.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Add the new rows. */
  take({ key, benefits, losses, first, rows, complete }) {
    if (key !== this.key || first !== this.have) {
      this.rows = [];
      this.have = 0;
    }
    Object.assign(this, { key, benefits, losses, complete });
    for (const { row, policies } of rows) this.rows[row] = policies;
    this.have += rows.length;
    write(this.state, complete ? "" : `${this.have} of ${losses.length} rows computed`);
    write(this.ends, `Benefit from left to right, ${money(benefits[0])} to ${money(benefits.at(-1))}. Loss from bottom to top, ${money(losses[0])} to ${
      money(losses.at(-1))}. The cross is the setting. Click, or move with the arrow keys and press Enter, to take a benefit and a loss.`);
    this.draw();
  }

  /** Draw the maps for an answer: its policy and games, and its setting. */
  show({ policies, setting }) {
    const names = policies.map((policy) => [policy.name, heading(policy)]);
    if (String(names) !== String(this.names)) {
      this.names = names;
      this.maps = names.map(([name, title]) => this.#mapOf(name, title));
      this.field.replaceChildren(...this.maps.map((map) => map.element));
    }
    this.setting = setting;
    this.draw();
  }

  #mapOf(name, title) {
    const map = new HeatMap(name, title);
    map.canvas.addEventListener("pointermove", (event) => this.#read(map, event));
    map.canvas.addEventListener("click", (event) => {
      this.#read(map, event);
      this.#pick();
    });
    return map;
  }

  /** Draw the maps anew. */
  draw() {
    const { setting } = this;
    if (!this.benefits || !setting) return;
    const [, form, fixed] = MEASURES[this.measure.value];
    const values = this.names.map(([name]) => this.losses.map((_, row) => this.rows[row] && this.#valuesOf(name, row)));
    const most = fixed ?? Math.max(1e-9, ...values.flat(2).filter((value) => value !== undefined && value !== null));
    write(this.least, form(0));
    write(this.most, form(most));
    this.maps.forEach((map, place) => map.draw({
      ...this, values: values[place].map((row) => row?.map((value) => value / most)), setting, cell: this.cell,
    }));
  }

  #valuesOf(name, row) {
    const key = this.measure.value;
    const values = this.rows[row][name]?.[key] ?? [];
    return key === "publisher_payoff" ? values.map((value, column) => value / this.benefits[column]) : values;
  }

  #read(map, event) {
    if (this.benefits) this.#show(map.cellAt(event, this.benefits.length, this.losses.length));
  }

  #show(cell) {
    if (this.cell?.row === cell?.row && this.cell?.column === cell?.column) return;
    this.cell = cell;
    this.draw();
    write(this.words, cell ? this.#cellWords(cell) : "");
  }

  #cellWords({ row, column }) {
    const [title, form] = MEASURES[this.measure.value];
    const where = `Benefit ${money(this.benefits[column])}, loss ${money(this.losses[row])}`;
    if (!this.rows[row]) return `${where}: not computed yet.`;
    const each = this.names.map(([name, words]) => `${words} ${form(this.#valuesOf(name, row)[column])}`);
    return `${where}. ${title}: ${each.join(", ")}.`;
  }

  #pick() {
    if (this.cell) this.chosen(this.benefits[this.cell.column], this.losses[this.cell.row]);
  }

  #key(event) {
    if (!this.benefits) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#pick();
      return;
    }
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!step) return;
    event.preventDefault();
    const { column, row } = this.cell ?? { column: nearest(this.benefits, this.setting.benefit), row: nearest(this.losses, this.setting.loss) };
    const within = (place, values) => Math.min(Math.max(place, 0), values.length - 1);
    this.#show({ column: within(column + step[0], this.benefits), row: within(row + step[1], this.losses) });
  }

  #paintScale() {
    const pen = this.scale.getContext("2d");
    for (let x = 0; x < 200; x += 1) {
      pen.fillStyle = colourOf(x / 199);
      pen.fillRect(x, 0, 1, 1);
    }
  }
}

function nearest(values, value) {
  const distance = (one) => Math.abs(Math.log(one / value));
  return values.reduce((best, one, place) => (distance(one) < distance(values[best]) ? place : best), 0);
}
