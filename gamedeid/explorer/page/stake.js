// One stake: a logarithmic slider, a field for the exact value, and the sentences on its breakpoints.

import { drawn, element, write } from "./elements.js";
import { placeOf, valueAt } from "./logarithmic.js";
import { capital, money, typedAmount } from "./words.js";

const STEPS = 500;

const MEANS = {
  benefit: "The worth of a record in full detail to the publisher.",
  loss: "The loss of the publisher from one re-identification.",
  cost: "The cost of one attack to the recipient.",
  gain: "The gain of the recipient from one re-identification.",
};

/**
 * A slider and a field for one stake.
 *
 * `ends`: least and most of the slider; `bounds`: of any value; `opened`: the value in the scenario as opened;
 * `turned(value)` is called for every new value, while the slider moves too.
 */
export class Stake {
  constructor(name, { ends, bounds, opened, turned }) {
    Object.assign(this, { name, ends, bounds, value: opened });
    this.slider = element("input", {
      type: "range", min: 0, max: STEPS, step: 1, id: `${name}-slider`, "aria-describedby": `${name}-means ${name}-range`,
    });
    this.field = element("input", {
      type: "text", inputmode: "decimal", autocomplete: "off", id: `${name}-field`,
      "aria-label": `${capital(name)}, exact dollars`, "aria-describedby": `${name}-fault`,
    });
    this.fault = element("p", { class: "fault", id: `${name}-fault`, role: "alert" });
    this.range = element("p", { class: "range", id: `${name}-range` });
    this.strip = drawn("svg", { class: "strip", viewBox: "0 0 1000 20", preserveAspectRatio: "none", "aria-hidden": "true" });
    this.label = element("label", { for: `${name}-slider` }, capital(name));
    const means = element("small", { class: "means", id: `${name}-means` }, MEANS[name]);
    const money = element("span", { class: "money" }, element("span", { "aria-hidden": "true" }, "$"), this.field);
    const track = element("div", { class: "track" }, this.strip, this.slider);
    this.element = element("div", { class: "stake", id: `stake-${name}` }, this.label, money, means, track, this.range, this.fault);
    this.slider.addEventListener("input", () => {
      this.show(valueAt(this.slider.value / STEPS, ends), { moveSlider: false });
      turned(this.value);
    });
    this.field.addEventListener("change", () => this.#typed(turned));
    this.show(opened);
  }

  /** Show a value; the slider is at its end if the value is beyond. */
  show(value, { moveSlider = true } = {}) {
    this.value = value;
    if (moveSlider) this.slider.value = Math.round(STEPS * placeOf(value, this.ends));
    this.slider.setAttribute("aria-valuetext", money(value));
    this.field.value = value.toLocaleString("en-US", { maximumSignificantDigits: 15 });
    this.complain("");
  }

  /** Show the fault near the field; nothing if there is none. */
  complain(words) {
    write(this.fault, words);
    this.field.setAttribute("aria-invalid", words ? "true" : "false");
  }

  #typed(turned) {
    const value = typedAmount(this.field.value);
    const { least, most } = this.bounds;
    if (value === null || value < least || value > most) {
      this.complain(`Expected dollars from ${money(least)} to ${money(most)}. The answer is still for ${money(this.value)}.`);
      return;
    }
    this.show(value);
    turned(value);
  }
}
