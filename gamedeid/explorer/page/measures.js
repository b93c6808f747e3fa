// The table of the measures of the policy and each game, with the best values marked.

import { element, write } from "./elements.js";
import { badge } from "./markers.js";
import { capital, heading, percent } from "./words.js";

const KEPT = ["publisher_payoff", "share_of_benefit", "unmodified", "withheld"];
const RISKED = ["attacked", "expected_reidentifications", "expected_reidentifications_if_all_attacked"];
export const MAIN = [...KEPT, ...RISKED];

/** A table that is built once for its policies and rows, and filled anew for every answer. */
export class Measures {
  constructor(place) {
    this.place = place;
    this.built = "";
    this.open = false;
  }

  /** Show an answer. */
  show({ policies, table, setting }) {
    const rows = rowsOf({ policies, table, setting }).filter((row) => this.open || MAIN.includes(row.key));
    const shape = JSON.stringify([policies.map(heading), rows.map((row) => row.key), this.open]);
    if (shape !== this.built) this.#build(policies, rows);
    this.built = shape;
    this.last = { policies, table, setting };
    for (const row of rows) {
      policies.forEach(({ name }, place) => {
        const { cell, value, mark } = this.cells.get(`${row.key} ${place}`);
        write(value, row.texts[name]);
        const best = row.best.includes(name);
        write(mark, best ? " best of its row" : "");
        cell.classList.toggle("best", best);
        cell.classList.toggle("played", name === setting.game);
      });
    }
    this.heads.forEach((head, place) => head.classList.toggle("played", policies[place].name === setting.game));
  }

  #build(policies, rows) {
    this.cells = new Map();
    this.heads = policies.map((policy) =>
      element("th", { scope: "col", class: "amount" }, badge(policy.name), heading(policy)));
    const body = (keys, title) => {
      const found = keys.map((key) => rows.find((row) => row.key === key)).filter(Boolean);
      if (!found.length) return "";
      const head = element("tr", { class: "part" }, element("th", { colspan: policies.length + 1, scope: "rowgroup" }, title));
      return element("tbody", {}, head, ...found.map((row) => this.#row(row, policies)));
    };
    const others = rows.map((row) => row.key).filter((key) => !MAIN.includes(key));
    const more = element("button", { type: "button", class: "more", "aria-expanded": String(this.open) },
      this.open ? "Fewer measures" : "All measures");
    more.addEventListener("click", () => {
      this.open = !this.open;
      this.show(this.last);
      this.place.querySelector(".more").focus();
    });
    const note = element("p", { class: "note" }, element("b", { class: "star", "aria-hidden": "true" }, "*"), " the best of its row. ", more);
    this.place.replaceChildren(
      element("table", { class: "by-policy measures", role: "table" },
        element("caption", { class: "away" }, "Measures of the policy and each game"),
        element("thead", {}, element("tr", {}, element("td", {}), ...this.heads)),
        body(KEPT, "Kept"), body(RISKED, "Risked"), body(others, "Further measures")),
      note);
  }

  #row(row, policies) {
    const cells = policies.map((_, place) => {
      const [value, mark] = [element("span"), element("span", { class: "away" })];
      const cell = element("td", { class: "amount" }, value, mark);
      this.cells.set(`${row.key} ${place}`, { cell, value, mark });
      return cell;
    });
    return element("tr", {}, element("th", { scope: "row" }, row.words), ...cells);
  }
}

/** Return the rows of the answer, texts and values by policy, and the payoff as a share of the benefit after the payoff. */
export function rowsOf({ policies, table, setting }) {
  const by = (value) => Object.fromEntries(policies.map((policy) => [policy.name, value(policy)]));
  return table.flatMap((row) => {
    const found = { ...row, words: capital(row.words), values: by(({ measures }) => measures[row.key]) };
    if (row.key === "expected_reidentifications_if_all_attacked") {
      return [{ ...found, words: "If all were attacked", values: by(({ marketer }) => marketer.reidentifications) }];
    }
    if (row.key !== "publisher_payoff") return [found];
    const values = by(({ measures }) => measures.publisher_payoff / setting.benefit);
    return [found, { key: "share_of_benefit", words: "... as share of the benefit", texts: by(({ name }) => shareWords(values[name])), values, best: row.best }];
  });
}

const shareWords = (share) => (share < 0 ? `-${percent(-share)}` : percent(share));
