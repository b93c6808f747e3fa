// The page: the answer is requested at each move, and slower results when the slider rests.

import { Address, wordsOf } from "./address.js";
import { showBreakpoints } from "./breakpoints.js";
import { showChanges } from "./changes.js";
import { choices } from "./choices.js";
import { byId, element, write } from "./elements.js";
import { Examples } from "./examples.js";
import { latest, rested } from "./latest.js";
import { Measures } from "./measures.js";
import { showPair } from "./pair.js";
import { Person } from "./person.js";
import { Picture } from "./picture.js";
import { Saving } from "./saving.js";
import { Gone, Refused, Superseded, ask } from "./server.js";
import { StakeMap } from "./stake_map.js";
import { Stakes } from "./stakes.js";
import { Suggestions } from "./suggestions.js";
import { tourOf } from "./tour.js";
import { verdictIn } from "./verdict.js";

const REST = 600; // milliseconds without a move before slower requests
const SLOW = 400; // milliseconds before a note that an answer takes long
const STEP = 250; // milliseconds without a move after which a setting is a step of the browser's history
const HEARTBEAT = 30_000;
const MAP_STEP = 300;

/** The content of the page, and its setting. */
class Explorer {
  constructor(question) {
    this.question = question;
    this.setting = structuredClone(question.setting);
    this.saved = question.saved;
    this.turns = 0;
    this.turnedAt = performance.now();
    const turned = (change, control) => this.turn(change, control);
    this.stakes = new Stakes(byId("stakes"), question, turned);
    this.choices = choices(byId("choices"), question, turned);
    this.measures = new Measures(byId("measures"));
    this.picture = new Picture(byId("picture"));
    this.showVerdict = verdictIn(byId("verdict"), byId("spoken"));
    this.map = new StakeMap(byId("map"), (benefit, loss) => this.turn({ benefit, loss }));
    this.changes = byId("changes").appendChild(element("div", { "aria-live": "polite" }));
    this.examples = new Examples(byId("examples"), () => ask("examples", { setting: this.setting }));
    this.suggestions = new Suggestions(byId("suggest"), {
      named: question.thresholds,
      look: () => ask("suggestions", { setting: this.setting }),
      apply: (change) => this.show({ ...this.setting, ...change }),
    });
    this.person = new Person(byId("person"), question.attributes, (values) => ask("person", { setting: this.setting, values }));
    this.saving = new Saving(byId("saving"), {
      folder: question.folder,
      ask: (name, content) => this.#keep(name, content),
    });
    this.ask = latest(() => this.#answer());
    this.askSlower = latest(() => this.#slower());
    this.fillMap = latest(() => this.#fillMap());
    this.rest = rested(REST, () => this.askSlower());
    this.address = new Address(question, () => this.restore());
    this.rememberSoon = rested(STEP, () => this.#remember());
    byId("reset").addEventListener("click", () => this.show(question.setting));
    byId("undo").addEventListener("click", () => this.undo());
    byId("pin").addEventListener("click", () => this.found && this.#pin(this.found));
    byId("unpin").addEventListener("click", () => {
      this.#pin(null);
      byId("pin").focus();
    });
    document.addEventListener("keydown", (event) => {
      if ((event.ctrlKey || event.metaKey) && !event.shiftKey && event.key === "z" && event.target.type !== "text") this.undo();
    });
    addEventListener("beforeunload", (event) => this.isUnsaved && event.preventDefault());
  }

  /** Whether the setting is neither as opened nor as saved last. */
  get isUnsaved() {
    const { setting: opened } = this.question;
    const words = (one) => String(wordsOf(one, opened));
    return ![opened, this.saved].some((one) => one && words(one) === words(this.setting));
  }

  /** Request the answer to the scenario as opened, for comparison; then show the setting of the address. */
  async begin() {
    const answered = this.ask();
    if (location.hash) await this.restore();
    await answered;
    this.#remember();
    if (this.found) document.documentElement.dataset.drawn = "yes";
    this.askSlower();
  }

  /** Show the setting of the address, and the pinned one. */
  async restore() {
    const { setting, pinned } = this.address.read();
    this.pinned = pinned;
    const shown = this.show(setting);
    if (pinned && !this.#pinnedAnswer()) {
      const found = await ask("answer", { setting: pinned }).catch(() => null);
      if (this.pinned === pinned) [this.kept, this.pinned] = [found, found && pinned];
    }
    await shown;
    this.#draw();
  }

  /** Return the answer to the pinned setting; null if none is pinned, or the answer has not arrived. */
  #pinnedAnswer() {
    return this.pinned && this.kept && JSON.stringify(this.pinned) === JSON.stringify(this.kept.setting) ? this.kept : null;
  }

  /** Show a setting in all controls, and request its answer. */
  show(setting) {
    this.#control(setting);
    return this.turn(structuredClone(setting));
  }

  #control(setting) {
    this.choices.show(setting);
    this.stakes.show(setting, true);
  }

  /** Undo the last step made in this page. */
  undo() {
    this.#remember();
    if (this.address.steps > 0) history.back();
  }

  #pin(found) {
    [this.kept, this.pinned] = [found, found && found.setting];
    this.#draw();
    this.#remember();
  }

  /** Keep the setting in the address, and show whether there is anything to undo or to save. */
  #remember() {
    this.address.write(this);
    byId("undo").setAttribute("aria-disabled", String(this.address.steps === 0));
    byId("unsaved").hidden = !this.isUnsaved;
  }

  async #keep(name, content) {
    const setting = structuredClone(this.setting);
    const found = await ask(name, { setting, ...content });
    if (name === "save") this.saved = setting;
    this.#remember();
    return found;
  }

  /** Apply a changed part of the setting, and request the answer. */
  turn(change, control) {
    Object.assign(this.setting, change);
    this.control = control ?? this.choices;
    this.turns += 1;
    this.turnedAt = performance.now();
    this.stakes.forget();
    this.suggestions.forget();
    this.stakes.show(this.setting);
    this.rememberSoon();
    this.rest();
    return this.ask();
  }

  async #answer() {
    const asked = structuredClone(this.setting);
    const { turns, turnedAt } = this;
    const slow = setTimeout(() => this.#say("Computing. New weights, and the first answer, take some seconds."), SLOW);
    try {
      const found = await ask("answer", { setting: asked });
      this.good = asked;
      this.opened ??= found;
      this.found = found;
      this.#draw();
      this.#say("");
      if (turns === this.turns) measurePainted(turnedAt);
    } catch (error) {
      this.#failed(error);
    } finally {
      clearTimeout(slow);
    }
  }

  #draw() {
    const { found } = this;
    if (!found) return;
    const pinned = this.#pinnedAnswer();
    this.showVerdict(found.verdict);
    this.measures.show(found);
    showPair(byId("pair"), pinned, found);
    this.picture.show(found, pinned ?? this.opened, pinned ? "the pinned answer A" : "the scenario as opened");
    this.map.show(found);
  }

  /** Request the slower results, as long as the setting does not change. */
  async #slower() {
    const { turns } = this;
    const setting = structuredClone(this.setting);
    try {
      showChanges(this.changes, await ask("changes", { setting }), this.question.attributes);
      this.fillMap();
      this.examples.again();
      this.person.again();
      for (const stake of this.stakes.asked(setting)) {
        if (turns !== this.turns) return;
        const found = await ask("breakpoints", { setting, stake: stake.name });
        if (turns === this.turns) showBreakpoints(stake, found, this.question.data.records);
      }
    } catch (error) {
      if (error instanceof Superseded) this.rest();
      else if (turns === this.turns) this.#failed(error);
    }
  }

  async #fillMap() {
    try {
      do {
        const { key, have } = this.map;
        this.map.take(await ask("map", { setting: this.setting, key, have }));
        if (!this.map.complete) await new Promise((done) => setTimeout(done, MAP_STEP));
      } while (!this.map.complete);
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error) {
    if (error instanceof Gone) {
      this.stakes.forget("");
      if (this.good) this.#control(this.setting = structuredClone(this.good)); // the setting of the figures that are still shown
      return;
    }
    if (!(error instanceof Refused)) throw error;
    if (this.good) this.setting = structuredClone(this.good);
    this.control?.complain(error.message);
    this.#say(this.control ? "" : error.message);
  }

  #say(words) {
    write(byId("state"), words);
    byId("measures").classList.toggle("waits", words !== "");
  }
}

/** Record the time from the move to the painted picture, for measurements. */
function measurePainted(start) {
  requestAnimationFrame(() => setTimeout(() => performance.measure("gamedeid: move to picture", { start, end: performance.now() })));
}

function heartbeat() {
  const look = () => ask("alive").catch(() => {});
  setInterval(look, HEARTBEAT);
  document.addEventListener("visibilitychange", () => document.hidden || look());
}

/** Leave the choices open if there is room next to the answer. */
function fold() {
  const narrow = matchMedia("(max-width: 63.99rem)");
  const follow = () => { byId("more-choices").open = !narrow.matches; };
  narrow.addEventListener("change", follow);
  follow();
}

async function begin() {
  fold();
  document.querySelector(".skip").addEventListener("click", () => byId("answer").focus());
  try {
    const question = await ask("question");
    const title = question.title || "A scenario";
    write(byId("title"), title);
    document.title = `${title} – gamedeid explorer`;
    write(byId("read"), question.read ?? "");
    const warnings = byId("warnings");
    warnings.append(...(question.warnings ?? []).map((words) => element("li", {}, words)));
    warnings.hidden = !warnings.childElementCount;
    const explorer = new Explorer(question);
    tourOf(byId("tour"));
    heartbeat();
    await explorer.begin();
  } catch (error) {
    if (!(error instanceof Gone)) write(byId("state"), error.message);
  }
}

begin();
