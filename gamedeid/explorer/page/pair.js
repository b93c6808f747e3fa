// The pinned answer A next to the present answer B: the differences of their settings and of their measures.

import { element } from "./elements.js";
import { MAIN, rowsOf } from "./measures.js";
import { capital, dollars, expected, heading, money } from "./words.js";

/** Show two answers, A first; nothing if none is pinned. */
export function showPair(place, a, b) {
  place.hidden = !a;
  if (!a) return;
  const same = JSON.stringify(a.setting) === JSON.stringify(b.setting);
  place.firstElementChild.replaceChildren(same ? element("p", {}, "A is this setting. Change it to compare the new answer with A.") : tableOf(a, b));
}

function tableOf(a, b) {
  const row = (texts) => element("tr", {}, element("th", { scope: "row" }, texts[0]),
    ...texts.slice(1).map((text) => element("td", { class: "amount" }, text)));
  const part = (title, rows) => (rows.length ? element("tbody", {},
    element("tr", { class: "part" }, element("th", { colspan: 4, scope: "rowgroup" }, title)), ...rows.map(row)) : "");
  const heads = [`A: ${heading(playedIn(a))}`, `B: ${heading(playedIn(b))}`, "B minus A"];
  return element("table", { class: "by-policy two", role: "table" },
    element("caption", { class: "away" }, "A, the pinned answer, and B, the answer now"),
    element("thead", {}, element("tr", {}, element("td", {}), ...heads.map((words) => element("th", { scope: "col", class: "amount" }, words)))),
    part("Changed", changedRows(a, b)), part("Kept and risked", measureRows(a, b)));
}

const playedIn = ({ policies, setting }) => policies.find(({ name }) => name === setting.game);

/** Return the differences between two settings, as rows of texts; the heads name the games. */
function changedRows(a, b) {
  const row = (words, before, now, form) => (before === now ? [] : [[words, form(before), form(now), signed(now - before, form)]]);
  const policies = [a, b].map((answer) => heading(answer.policies[0]));
  return [
    ...["benefit", "loss", "cost", ...(a.setting.gain === b.setting.gain ? [] : ["gain"])]
      .flatMap((name) => row(capital(name), ...[a, b].map(({ setting }) => setting[name] ?? setting.loss), money)),
    ...Object.keys(a.setting.weights).flatMap((name) => row(`Weight of ${name}`, a.setting.weights[name], b.setting.weights[name], weight)),
    ...(policies[0] === policies[1] ? [] : [["Policy", ...policies, ""]]),
  ];
}

const FORMS = { publisher_payoff: dollars, expected_reidentifications: expected, expected_reidentifications_if_all_attacked: expected };
const points = (share) => `${(100 * share).toFixed(2)} points`;
const weight = (value) => String(Number(value.toPrecision(6)));

function measureRows(a, b) {
  const [before, now] = [a, b].map((answer) => rowsOf(answer).filter(({ key }) => MAIN.includes(key)));
  return before.map(({ key, words, texts, values }, place) => {
    const [one, other] = [values[a.setting.game], now[place].values[b.setting.game]];
    return [words, texts[a.setting.game], now[place].texts[b.setting.game], signed(other - one, FORMS[key] ?? points)];
  });
}

/** Return a difference with its sign; a difference by rounding is none. */
function signed(difference, form) {
  if (Math.abs(difference) < 1e-9) return "none";
  return `${difference < 0 ? "-" : "+"}${form(Math.abs(difference))}`;
}
