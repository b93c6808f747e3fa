// The page: what is turned is asked at once, what takes longer when the slider rests.

import { showBreakpoints } from "./breakpoints.js";
import { showChanges } from "./changes.js";
import { choices } from "./choices.js";
import { byId, element, write } from "./elements.js";
import { latest, rested } from "./latest.js";
import { Measures } from "./measures.js";
import { Person } from "./person.js";
import { Picture } from "./picture.js";
import { Saving } from "./saving.js";
import { Gone, Refused, Superseded, ask } from "./server.js";
import { StakeMap } from "./stake_map.js";
import { Stakes } from "./stakes.js";
import { verdictIn } from "./verdict.js";

const REST = 600; // milliseconds without a move after which slower questions are asked
const SLOW = 400; // milliseconds after which it is said that an answer takes long
const HEARTBEAT = 30_000;
const MAP_STEP = 300;

/** Everything that is shown, and the setting it is shown for. */
class Explorer {
  constructor(question) {
    this.question = question;
    this.setting = structuredClone(question.setting);
    this.turns = 0;
    this.turnedAt = performance.now();
    const turned = (change, control) => this.turn(change, control);
    this.stakes = new Stakes(byId("stakes"), question, turned);
    this.choices = choices(byId("choices"), question, turned);
    this.measures = new Measures(byId("measures"));
    this.picture = new Picture(byId("picture"));
    this.showVerdict = verdictIn(byId("verdict"), byId("spoken"));
    this.changes = byId("changes").appendChild(element("div", { "aria-live": "polite" }));
    this.person = new Person(byId("person"), question.attributes, (values) => ask("person", { setting: this.setting, values }));
    this.saving = new Saving(byId("saving"), {
      folder: question.folder,
      ask: (name, content) => ask(name, { setting: this.setting, ...content }),
      progress: () => ask("progress"),
    });
    this.ask = latest(() => this.#answer());
    this.askSlower = latest(() => this.#slower());
    this.fillMap = latest(() => this.#fillMap());
    this.rest = rested(REST, () => this.askSlower());
    byId("reset").addEventListener("click", () => {
      this.choices.show(question.setting);
      this.turn(structuredClone(question.setting));
    });
  }

  /** Take a part of the setting that is new, and ask for the answer. */
  turn(change, control) {
    Object.assign(this.setting, change);
    this.control = control ?? this.choices;
    this.turns += 1;
    this.turnedAt = performance.now();
    this.stakes.forget();
    this.stakes.show(this.setting);
    this.ask();
    this.rest();
  }

  async #answer() {
    const asked = structuredClone(this.setting);
    const { turns, turnedAt } = this;
    const slow = setTimeout(() => this.#say("Computing. New weights, and the first answer, take some seconds."), SLOW);
    try {
      const found = await ask("answer", { setting: asked });
      this.good = asked;
      this.opened ??= found;
      this.#draw(found);
      this.#say("");
      if (turns === this.turns) measurePainted(turnedAt);
    } catch (error) {
      this.#failed(error);
    } finally {
      clearTimeout(slow);
    }
  }

  #draw(found) {
    this.showVerdict(found.verdict);
    this.measures.show(found);
    this.picture.show(found, this.opened);
    this.map ??= new StakeMap(byId("map"), {
      policies: found.policies,
      chosen: (benefit, loss) => this.turn({ benefit, loss }),
    });
    this.map.draw(found.setting);
    document.documentElement.dataset.drawn = "yes";
  }

  /** Ask what takes longer, as long as nothing is turned meanwhile. */
  async #slower() {
    const { turns } = this;
    const setting = structuredClone(this.setting);
    try {
      showChanges(this.changes, await ask("changes", { setting }), this.question.attributes);
      this.fillMap();
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
      gone();
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

/** Note how long it took from the move to the painted picture, for whoever measures. */
function measurePainted(start) {
  requestAnimationFrame(() => setTimeout(() => performance.measure("gamedeid: move to picture", { start, end: performance.now() })));
}

function gone() {
  const place = byId("gone");
  write(place, "The explorer has ended, or does not answer: changes have no answer now. Start it again with “gamedeid explore”, and open the address that it prints.");
  place.hidden = false;
}

function heartbeat() {
  setInterval(() => ask("alive").then(() => { byId("gone").hidden = true; }, gone), HEARTBEAT);
}

/** Leave the choices open where there is room beside the answer. */
function fold() {
  const narrow = matchMedia("(max-width: 63.99rem)");
  const follow = () => { byId("more-choices").open = !narrow.matches; };
  narrow.addEventListener("change", follow);
  follow();
}

async function begin() {
  fold();
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
    heartbeat();
    await explorer.ask();
    explorer.askSlower();
  } catch (error) {
    if (error instanceof Gone) gone();
    else write(byId("state"), error.message);
  }
}

begin();
