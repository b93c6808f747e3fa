// Rows of the population before and after, with removed detail struck through; requested only while unfolded.

import { element, rowTable } from "./elements.js";
import { latest } from "./latest.js";

/** The folded rows; `look()` requests them from the server. */
export class Examples {
  constructor(place, look) {
    this.look = look;
    this.again = latest(() => this.#show());
    this.found = element("div", { "aria-live": "polite" });
    this.folded = element("details", {}, element("summary", {}, "Ten rows of the population"), this.found);
    this.folded.addEventListener("toggle", () => this.again());
    place.append(this.folded);
  }

  async #show() {
    if (!this.folded.open) return;
    try {
      this.found.replaceChildren(...shownRows(await this.look()));
    } catch (error) {
      this.found.replaceChildren(element("p", { class: "fault" }, error.message));
    }
  }
}

function shownRows({ examples_heading: heading, examples_words: words, examples_columns: columns, examples }) {
  const heads = columns.map((name, place) => [name, place === columns.length - 1 ? "amount" : ""]);
  const cell = ([before, removed, after]) => (removed ? [element("del", {}, before), " ", element("ins", {}, after)] : before);
  const rows = examples.map(({ cells, people }) => [...cells.map(cell), people]);
  return [element("p", { class: "note" }, words.join(" ")), rows.length ? rowTable(heading, heads, rows) : ""];
}
