// One person with typed values: the release by the policy and each game, and the outcome of an attack.

import { element, write } from "./elements.js";
import { badge } from "./markers.js";
import { dollars, heading, percent, whole } from "./words.js";

/** The form and its answer; `look(values)` asks the server. */
export class Person {
  constructor(place, attributes, look) {
    this.look = look;
    this.values = null;
    this.fields = attributes.map(({ name, values }) => [name, element("input", {
      type: "text", id: `person-${name}`, autocomplete: "off", "aria-describedby": "person-fault", list: values.length ? `values-${name}` : null,
    }), element("datalist", { id: `values-${name}` }, ...values.map((value) => element("option", { value })))]);
    this.fault = element("p", { class: "fault", id: "person-fault", role: "alert" });
    this.found = element("div", { "aria-live": "polite" });
    const form = element("form", { class: "person" },
      ...this.fields.map(([name, field, listed]) => element("div", {}, element("label", { for: field.id }, name), field, listed)),
      element("button", { type: "submit" }, "Look up"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.values = Object.fromEntries(this.fields.map(([name, field]) => [name, field.value.trim()]));
      this.again();
    });
    place.append(
      element("p", {}, "The release of any person with these values, in the records or not, and whether an attack would pay."),
      form, this.fault, this.found);
  }

  /** Look the person up again, if one was looked up. */
  async again() {
    if (!this.values) return;
    try {
      const { policies } = await this.look(this.values);
      write(this.fault, "");
      this.found.replaceChildren(outcomes(policies, this.fields.map(([name]) => name)));
    } catch (error) {
      write(this.fault, error.message);
      this.found.replaceChildren();
    }
  }
}

/** Return a table of the same columns as that of the measures: the policy and each game. */
function outcomes(policies, attributes) {
  const row = (words, text) => element("tr", {}, element("th", { scope: "row" }, words),
    ...policies.map((policy) => element("td", { class: "amount" }, text(policy))));
  const part = (title, ...rows) => element("tbody", {},
    element("tr", { class: "part" }, element("th", { colspan: policies.length + 1, scope: "rowgroup" }, title)), ...rows);
  const unlessWithheld = (text) => (policy) => (policy.released ? text(policy) : "–");
  return element("table", { class: "by-policy outcomes", role: "table" },
    element("caption", { class: "away" }, "The release of this person"),
    element("thead", {}, element("tr", {}, element("td", {}),
      ...policies.map((policy) => element("th", { scope: "col", class: "amount" }, badge(policy.name), heading(policy))))),
    part("Released", ...attributes.map((name) => row(name, ({ released }) => (released ? released[name] : "withheld")))),
    part("Risked",
      row("People who match", unlessWithheld(({ people }) => (people ? whole(people) : "no one"))),
      row("Chance that an attack succeeds", unlessWithheld(({ chance }) => percent(chance))),
      row("Attacked", ({ attacked }) => (attacked ? "yes" : "no"))),
    part("Payoffs",
      row("Publisher's payoff", (policy) => dollars(policy.publisher_payoff)),
      row("Adversary's payoff", (policy) => dollars(policy.adversary_payoff))));
}
