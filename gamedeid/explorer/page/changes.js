// The groups of records that are released differently from the scenario as opened.

import { element, rowTable } from "./elements.js";
import { dollars, heading, percent, records, whole } from "./words.js";

/** Show the groups that change; `attributes`: those of the question. */
export function showChanges(place, found, attributes) {
  const { changed, records: all } = found;
  const game = heading({ kind: "game", name: found.game }).replace(/^(Basic|No)/, (word) => word.toLowerCase());
  if (changed === 0) {
    place.replaceChildren(element("p", {}, `In the ${game} game, every record is released as in the scenario as opened.`));
    return;
  }
  const share = changed === null ? "" : ` (${percent(changed / all, 1)})`;
  const lead = `In the ${game} game, ${records(changed)}${share} of ${whole(all)} are released differently from the scenario as opened.`;
  place.replaceChildren(
    element("p", {}, lead),
    found.strategies.length ? strategyTable(found, attributes) : "",
    found.other_strategies ? element("p", { class: "note" }, restWords(found.other_strategies, found.strategies.length > 0)) : "",
    element("div", { class: "values" }, ...found.attributes.map((attribute) => valueTable(attribute))),
  );
}

const GROUP_HEADS = [["Records", "amount"], ["As opened", ""], ["Now", ""], ["Payoff per record", "amount"], ["Attacked", "amount"]];

function strategyTable(found, attributes) {
  return rowTable("Groups that change, largest first", GROUP_HEADS, found.strategies.map((group) => [
    whole(group.records),
    levelWords(wordsOf(group.before, attributes)),
    levelWords(wordsOf(group.after, attributes), wordsOf(group.before, attributes)),
    difference(group.payoff_difference),
    `${few(group.attacked_before)} → ${few(group.attacked_after)}`]));
}

function restWords({ groups, records: all, largest }, further) {
  const kinds = groups === 1 ? "group" : "groups";
  const size = largest === null ? "fewer than 11 records each" : `${records(largest)} at most`;
  return `${whole(groups)} ${further ? "further " : ""}${kinds} of ${size} (${records(all)} in all) ${groups === 1 ? "is" : "are"} not listed.`;
}

const few = (number) => (number === null ? "<11" : whole(number));
const difference = (value) => (value > 0 && dollars(value) !== "$0.00" ? `+${dollars(value)}` : dollars(value));

/** Return the levels of a strategy in words, one text per attribute. */
function wordsOf(levels, attributes) {
  if (levels === null) return ["withheld"];
  return attributes.map((attribute) => {
    const level = levels[attribute.name];
    const shown = exampleOf(attribute, level);
    return level === 0 ? `${attribute.name} exact` : `${attribute.name} ${/^\*|^at /.test(shown) ? shown : `like ${shown}`}`;
  });
}

/** Return words as elements, those that another strategy lacks in bold. */
function levelWords(words, other = words) {
  return words.flatMap((text, place) => [place ? ", " : "", element(other.includes(text) ? "span" : "b", {}, text)]);
}

/** Return an example of a value at a level. */
function exampleOf(attribute, level) {
  const { example } = attribute.levels[level];
  return example ?? (level === 0 ? "as it is" : level === attribute.levels.length - 1 ? "*" : `at level ${level}`);
}

function valueTable({ name, groups, others }) {
  const rows = groups.map(({ label, records: all, changed }) => {
    const share = changed === null ? null : changed / all;
    const bar = element("span", { class: "bar", "aria-hidden": "true" });
    bar.style.width = `${100 * (share ?? 0)}%`;
    return element("tr", {}, element("th", { scope: "row" }, label),
      element("td", { class: "amount" }, bar, share === null ? "<11" : percent(share, 0)), element("td", { class: "amount soft" }, `of ${whole(all)}`));
  });
  const rest = others && `${whole(others.groups)} more with ${records(others.records)} in all.`;
  return element("table", { class: "shares" }, element("caption", {}, `Share that changes, by ${name}`),
    element("thead", { class: "away" }, element("tr", {}, ...[name, "changed", "records"].map((words) => element("th", { scope: "col" }, words)))),
    element("tbody", {}, ...rows, rest ? element("tr", {}, element("td", { colspan: 3, class: "soft" }, rest)) : ""));
}
