// The hierarchy of an attribute as text to edit: its faults in place, its levels, and the way back.

import { exampleOf } from "./changes.js";
import { element, write } from "./elements.js";
import { whole } from "./words.js";

/** A choice of attribute and its text; `read(attribute)` asks for the text, `apply(attribute, text or null)` for its effect. */
export class Hierarchies {
  constructor(place, attributes, { read, apply }) {
    Object.assign(this, { read, apply, attributes, texts: {} });
    this.choice = element("select", { id: "hierarchy-attribute" }, ...attributes.map(({ name }) => element("option", { value: name }, name)));
    this.text = element("textarea", { id: "hierarchy-text", rows: 14, spellcheck: "false", wrap: "off", "aria-describedby": "hierarchy-faults" });
    this.faults = element("ul", { class: "fault", id: "hierarchy-faults", role: "alert" });
    this.done = element("p", { class: "note", role: "status" });
    this.levels = element("ol", { class: "levels", start: 0, "aria-label": "Levels" });
    this.try = element("button", { type: "submit" }, "Take this text");
    this.undo = element("button", { type: "button" }, "Back to the text as opened");
    const form = element("form", { class: "hierarchy" },
      element("div", { class: "bar-of-choices" }, element("label", { for: "hierarchy-attribute" }, "Attribute"), this.choice),
      element("label", { for: "hierarchy-text" }, "Text of the hierarchy"), this.text, this.faults,
      element("div", { class: "bar-of-choices" }, this.try, this.undo), this.done);
    place.append(
      element("p", {}, "What each level publishes. A changed text is tried here at once; nothing is written until the scenario is saved."),
      element("div", { class: "beside" }, form, element("div", {}, element("h3", {}, "Levels"), this.levels)));
    this.choice.addEventListener("change", () => this.open());
    this.undo.addEventListener("click", () => this.#take(null));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#take(this.text.value);
    });
    this.open();
  }

  /** Show the text of the attribute that is chosen. */
  async open() {
    const name = this.choice.value;
    this.#complain([]);
    write(this.done, "");
    this.show(this.attributes);
    const opened = await this.read(name);
    if (name !== this.choice.value) return;
    this.text.readOnly = !opened.editable;
    this.try.disabled = !opened.editable;
    this.text.value = this.texts[name] ?? opened.text ?? "";
    if (!opened.editable) write(this.done, `This hierarchy cannot be edited here: ${opened.why_not}.`);
  }

  /** Show the levels of the attributes at the setting. */
  show(attributes) {
    this.attributes = attributes;
    const chosen = attributes.find(({ name }) => name === this.choice.value);
    this.levels.replaceChildren(...chosen.levels.map((level, place) =>
      element("li", {}, `${exampleOf(chosen, place)} `, element("span", { class: "soft" }, `${whole(level.groups)} ${level.groups === 1 ? "group" : "groups"}`))));
  }

  async #take(text) {
    const name = this.choice.value;
    write(this.done, "Reading the data with this hierarchy. This takes some seconds.");
    const faults = await this.apply(name, text);
    write(this.done, faults.length ? "" : text === null ? "The text is as opened." : "Taken. The answer above is for this text.");
    this.#complain(faults);
    if (faults.length) return;
    delete this.texts[name];
    if (text !== null) this.texts[name] = text;
    else this.open();
  }

  #complain(faults) {
    this.faults.replaceChildren(...faults.map((words) => element("li", {}, words)));
    this.text.setAttribute("aria-invalid", faults.length ? "true" : "false");
    const line = /line (\d+)/.exec(faults[0] ?? "");
    if (line) this.#select(Number(line[1]));
  }

  #select(number) {
    const lines = this.text.value.split("\n");
    const start = lines.slice(0, number - 1).join("\n").length + (number > 1 ? 1 : 0);
    this.text.focus();
    this.text.setSelectionRange(start, start + (lines[number - 1] ?? "").length);
  }
}
