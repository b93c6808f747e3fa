// All stakes: those that can be changed, the one that follows another, and the one changed last.

import { forgetBreakpoints } from "./breakpoints.js";
import { element } from "./elements.js";
import { Stake } from "./stake.js";
import { capital } from "./words.js";

const NAMES = ["benefit", "loss", "cost", "gain"];

/** The sliders; `turned(change, stake)` is called with the changed part of the setting. */
export class Stakes {
  constructor(form, { setting, sliders, bounds }, turned) {
    this.last = "loss";
    this.all = new Map(NAMES.map((name) => [name, new Stake(name, {
      ends: sliders[name],
      bounds: bounds.stakes,
      opened: setting[name] ?? setting.loss,
      turned: (value) => {
        this.last = name;
        turned({ [name]: value }, this.all.get(name));
      },
    })]));
    this.follows = element("input", { type: "checkbox", id: "gain-follows" });
    this.follows.addEventListener("change", () => {
      turned({ gain: this.follows.checked ? null : this.all.get("loss").value }, this.all.get("gain"));
    });
    this.all.get("gain").element.prepend(
      element("label", { class: "follows", for: "gain-follows" }, this.follows, "Gain equals loss"));
    form.append(this.#narrowChoice(form), ...[...this.all.values()].map((stake) => stake.element));
    form.addEventListener("submit", (event) => event.preventDefault());
    this.show(setting);
  }

  /** Show a setting; with `anew`, wrong input is removed too. */
  show(setting, anew = false) {
    for (const [name, stake] of this.all) {
      const value = setting[name] ?? setting.loss;
      if (anew || stake.value !== value) stake.show(value);
    }
    this.follows.checked = setting.gain === null;
    this.all.get("gain").element.classList.toggle("following", setting.gain === null);
  }

  /** Show that the breakpoints are for another setting. */
  forget(words = "Looking for breakpoints.") {
    for (const stake of this.all.values()) forgetBreakpoints(stake, words);
  }

  /** Return the stakes whose breakpoints are requested, the one changed last first. */
  asked(setting) {
    const free = [...this.all.values()].filter(({ name }) => name !== "gain" || setting.gain !== null);
    return free.sort((one, other) => (other.name === this.last) - (one.name === this.last));
  }

  /** Return the selection of the stake that a narrow page shows. */
  #narrowChoice(form) {
    const group = element("div", { class: "which", role: "radiogroup", "aria-label": "Stake to turn" });
    for (const name of NAMES) {
      const input = element("input", { type: "radio", name: "which", value: name, checked: name === "loss" });
      input.addEventListener("change", () => { form.dataset.shown = name; });
      group.append(element("label", {}, input, element("span", {}, capital(name))));
    }
    form.dataset.shown = "loss";
    return group;
  }
}
