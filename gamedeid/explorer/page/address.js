// The state in the fragment of the address, which no server gets: the changes from the scenario as opened, and the pinned answer.

import { typedAmount } from "./words.js";

const STAKES = ["benefit", "loss", "cost", "gain"];

/** Return the differences of a setting from the scenario as opened, as words of an address. */
export function wordsOf(setting, opened) {
  const words = new URLSearchParams();
  for (const name of [...STAKES, "policy", "game"]) {
    if (setting[name] !== opened[name]) words.set(name, setting[name] ?? "loss");
  }
  for (const [name, weight] of Object.entries(setting.weights)) {
    if (weight !== opened.weights[name]) words.set(`weight.${name}`, weight);
  }
  return words;
}

/** Return the setting by the words of an address; words about names that the scenario lacks are left out. */
function settingOf(words, { setting: opened, policies, games, bounds }) {
  const setting = structuredClone(opened);
  for (const [key, text] of words) {
    const amount = typedAmount(text);
    const [stake, weight] = [STAKES.includes(key), key.replace(/^weight\./, "")];
    const { least, most } = stake ? bounds.stakes : bounds.weights;
    const permitted = amount !== null && ((amount >= least && amount <= most) || (amount === 0 && !stake));
    if (key === "gain" && text === "loss") setting.gain = null;
    else if (stake && permitted) setting[key] = amount;
    else if (key === "policy" && policies.includes(text)) setting.policy = text;
    else if (key === "game" && games.includes(text)) setting.game = text;
    else if (key !== weight && Object.hasOwn(setting.weights, weight) && permitted) setting.weights[weight] = amount;
  }
  return setting;
}

/** The address; `moved()` is called after a change of it by Back, Forward or typing. */
export class Address {
  constructor(question, moved) {
    this.question = question;
    this.steps = history.state?.steps ?? -1;
    if (!location.hash) this.read();
    addEventListener("popstate", moved);
  }

  /** Return the setting and the pinned one, null for none. */
  read() {
    const words = new URLSearchParams(location.hash.slice(1));
    const pinned = words.get("pinned");
    const read = { setting: settingOf(words, this.question), pinned: pinned === null ? null : settingOf(new URLSearchParams(pinned), this.question) };
    this.steps = history.state?.steps ?? this.steps + 1;
    history.replaceState({ steps: this.steps }, "", this.#written(read));
    return read;
  }

  /** Take a step in the browser's history, unless nothing has changed. */
  write(read) {
    const written = this.#written(read);
    if (written === location.pathname + location.hash) return;
    this.steps += 1;
    history.pushState({ steps: this.steps }, "", written);
  }

  #written({ setting, pinned }) {
    const words = wordsOf(setting, this.question.setting);
    if (pinned) words.set("pinned", wordsOf(pinned, this.question.setting));
    return location.pathname + (words.size ? `#${words}` : "");
  }
}
