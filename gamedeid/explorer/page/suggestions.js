// Changes that meet the thresholds of the scenario: tried on request, and applied by a button.

import { element, rowTable } from "./elements.js";
import { watched } from "./server.js";

/** A button and its results; `look()` asks the server, `apply(change)` changes the setting. */
export class Suggestions {
  constructor(place, { named, look, apply }) {
    if (!named) {
      place.append(element("p", {}, "The scenario names no threshold in its section [thresholds], so no change can be suggested."));
      return;
    }
    Object.assign(this, { look, apply, turns: 0 });
    this.go = element("button", { type: "button" }, "Find the cheapest change");
    this.found = element("div", { role: "status" });
    this.go.addEventListener("click", () => this.#ask());
    place.append(element("p", { class: "note" }, "Tries the three games, limits and each stake by itself. This can take a while; the page can be used meanwhile."), this.go, this.found);
  }

  /** Remove the results for another setting. */
  forget() {
    this.turns += 1;
    if (this.found && !this.go.disabled) this.found.replaceChildren();
  }

  async #ask() {
    const { turns } = this;
    this.go.disabled = true;
    try {
      const found = await watched(this.found, this.look());
      this.found.replaceChildren(...(turns === this.turns ? this.#shown(found) : ["The setting changed meanwhile; ask again."]));
    } catch (error) {
      this.found.replaceChildren(element("p", { class: "fault" }, error.message));
    }
    this.go.disabled = false;
  }

  #shown({ words, game, command, tried, stakes, left_out: others }) {
    const note = (text) => element("p", { class: "note" }, text);
    const values = stakes.values.map(({ stake, value }, place) => (value === null ? "–" : this.#button(`Set ${stake} to ${stakes.rows[place][2]}`, { [stake]: value })));
    return [
      element("p", {}, words.join(" ")),
      game ? this.#button(`Show the ${game} game`, { game }) : "",
      command ? element("p", {}, "This page sets no limits. Save the setting as SCENARIO, and run it within them: ", element("code", {}, command)) : "",
      rowTable("Games and limits that were tried", heads(tried.columns, 2), tried.rows),
      note(tried.words),
      ...(stakes.rows.length ? [note(stakes.words), rowTable("Nearest stakes", heads([...stakes.columns, "in this page"], 1), stakes.rows.map((row, place) => [...row, values[place]]))] : []),
      ...others.map(note),
    ];
  }

  #button(words, change) {
    const made = element("button", { type: "button" }, words);
    made.addEventListener("click", () => {
      this.apply(change);
      this.go.focus();
    });
    return made;
  }
}

const heads = (columns, left) => columns.map((words, place) => [words, place < left ? "" : "amount"]);
