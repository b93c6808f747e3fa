// One person, whose values are typed: what the policy and each game release of them, and what an attack would come to.

import { element, write } from "./elements.js";
import { badge } from "./markers.js";
import { dollars, heading, percent, whole } from "./words.js";

/** The form and its answer; `look(values)` asks the server. */
export class Person {
  constructor(place, attributes, look) {
    this.look = look;
    this.values = null;
    this.fields = attributes.map(({ name, title }) => [name, element("input", { type: "text", id: `person-${name}`, autocomplete: "off", "aria-describedby": "person-fault" }), title]);
    this.fault = element("p", { class: "fault", id: "person-fault", role: "alert" });
    this.found = element("div", { "aria-live": "polite" });
    const form = element("form", { class: "person" },
      ...this.fields.map(([name, field]) => element("div", {}, element("label", { for: field.id }, name), field)),
      element("button", { type: "submit" }, "Look up"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.values = Object.fromEntries(this.fields.map(([name, field]) => [name, field.value.trim()]));
      this.again();
    });
    place.append(
      element("p", {}, "What would be released of a person with these values, who need not be among the records, and whether an attack would pay."),
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

function outcomes(policies, attributes) {
  const heads = ["", ...attributes, "People who match", "Chance", "Attacked", "Publisher's payoff", "Adversary's payoff"];
  const rows = policies.map((policy) => {
    const { released } = policy;
    const values = released
      ? attributes.map((name) => element("td", {}, released[name]))
      : [element("td", { colspan: attributes.length }, "withheld")];
    const figures = released
      ? [policy.people ? whole(policy.people) : "nobody", percent(policy.chance), policy.attacked ? "yes" : "no"]
      : ["–", "–", "no"];
    return element("tr", {}, element("th", { scope: "row" }, badge(policy.name), heading(policy)), ...values,
      ...[...figures, dollars(policy.publisher_payoff), dollars(policy.adversary_payoff)].map((words) => element("td", { class: "amount" }, words)));
  });
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "What becomes of this person" },
    element("table", { class: "outcomes" }, element("caption", { class: "away" }, "What becomes of this person"),
      element("thead", {}, element("tr", {}, ...heads.map((words, place) =>
        words ? element("th", { scope: "col", class: place > attributes.length ? "amount" : "" }, words) : element("td", {})))),
      element("tbody", {}, ...rows)));
}
