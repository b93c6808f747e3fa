// The choices other than the stakes: the game that is shown in detail, the policy, and the weights of the attributes.

import { element, write } from "./elements.js";
import { heading } from "./words.js";

const GAMES = {
  basic: "every strategy is permitted",
  "sh-friendly": "at least as general as the policy",
  "no-attack": "only where no attack pays",
};

/** Fill the form; `turned(change)` is called with the changed part of the setting. */
export function choices(form, question, turned) {
  const { setting } = question;
  const games = element("fieldset", { class: "games" }, element("legend", {}, "Game"));
  for (const name of question.games) {
    const input = element("input", { type: "radio", name: "game", value: name, checked: name === setting.game });
    input.addEventListener("change", () => turned({ game: name }));
    const words = element("span", {}, heading({ kind: "game", name }), element("small", {}, GAMES[name] ?? ""));
    games.append(element("label", {}, input, words));
  }
  const policy = element("select", { id: "policy" }, ...question.policies.map((name) =>
    element("option", { value: name, selected: name === setting.policy }, policyWords(name))));
  const law = element("small", { id: "policy-law", role: "status" });
  const sayLaw = () => write(law, question.law[policy.value] ?? "");
  policy.setAttribute("aria-describedby", law.id);
  policy.addEventListener("change", () => {
    sayLaw();
    turned({ policy: policy.value });
  });
  sayLaw();
  const weights = new Weights(question, turned);
  form.append(
    games,
    element("div", { class: "choice" }, element("label", { for: "policy" }, "Policy to compare with"), policy, law),
    weights.element,
  );
  form.addEventListener("submit", (event) => event.preventDefault());
  return {
    complain: (words) => weights.complain(words),
    show(shown) {
      for (const input of games.querySelectorAll("input")) input.checked = input.value === shown.game;
      policy.value = shown.policy;
      sayLaw();
      weights.show(shown.weights);
    },
  };
}

const POLICIES = { "safe-harbor": "Safe Harbor", "limited-data-set": "Limited Data Set" };
const policyWords = (name) => POLICIES[name] ?? name;

class Weights {
  constructor({ attributes, setting, bounds }, turned) {
    this.weights = { ...setting.weights };
    this.bounds = bounds.weights;
    this.fault = element("p", { class: "fault", id: "weights-fault", role: "alert" });
    this.fields = attributes.map(({ name, title }) => {
      const field = element("input", {
        type: "text", inputmode: "decimal", id: `weight-${name}`, autocomplete: "off", "aria-describedby": "weights-fault",
      });
      field.addEventListener("change", () => this.#typed(name, field, turned));
      field.addEventListener("keydown", (event) => {
        const step = { ArrowUp: 0.1, ArrowDown: -0.1 }[event.key];
        if (!step) return;
        event.preventDefault();
        field.value = String(Math.max(Math.round(10 * (this.weights[name] + step)) / 10, 0));
        this.#typed(name, field, turned);
      });
      return [name, field, title];
    });
    this.element = element("fieldset", { class: "weights" },
      element("legend", {}, "Weights of the attributes"),
      ...this.fields.map(([name, field, title]) =>
        element("div", { class: "weight", title: title ?? "" }, element("label", { for: field.id }, name), field)),
      this.fault);
    this.show(this.weights);
  }

  show(weights) {
    this.weights = { ...weights };
    for (const [name, field] of this.fields) {
      field.value = String(weights[name]);
      field.setAttribute("aria-invalid", "false");
    }
    write(this.fault, "");
  }

  /** Show the fault near the fields. */
  complain(words) {
    write(this.fault, words);
  }

  #typed(name, field, turned) {
    const value = field.value.trim() === "" ? NaN : Number(field.value);
    const { least, most } = this.bounds;
    if (!(value === 0 || (value >= least && value <= most))) {
      field.setAttribute("aria-invalid", "true");
      write(this.fault, `${name}: expected 0, or a number from ${least} to ${most}.`);
      return;
    }
    this.show({ ...this.weights, [name]: value });
    turned({ weights: { ...this.weights } });
  }
}
