// @ts-check
/**
 * Draws the lower panel: one line of costs for each policy, by request or summed up.
 *
 * @import { Language } from '../base/language.js'
 * @import { Words } from '../picture/words.js'
 * @import { Money } from './money.js'
 * @import { Panel } from './panel.js'
 * @import { PolicyCost } from './series.js'
 */
import { svg } from '../base/dom.js';
import { formatCount } from '../base/format.js';
import { requestAxis, valueAxis } from './axis.js';
import { linePath } from './paths.js';
import { ticks } from './scale.js';
import { cumulative, largest } from './series.js';

/** CSS pixels. */
const HEIGHT = 190;
const TOP = 8;
/** Height of the request labels. */
const AXIS = 22;

/**
 * @param {Panel} panel @param {number} width
 * @param {{ words: Words, language: Language, policies: PolicyCost[], isSummed: boolean, money: Money }} what
 */
export function drawCosts(panel, width, { words, language, policies, isSummed, money }) {
  const count = policies[0]?.each.length ?? 0;
  const band = panel.resize(width, HEIGHT, count);
  const lines = policies.map(({ policy, each }) => ({ policy, values: isSummed ? cumulative(each) : each }));
  const amounts = ticks(money.amount(largest(lines.map(({ values }) => values))), 4);
  const rise = { top: TOP, height: HEIGHT - TOP - AXIS, most: money.cost(amounts.at(-1) ?? 1) };
  const step = money.cost(amounts[1] ?? 1);
  const labels = amounts.map((amount) => ({ value: money.cost(amount), text: money.format(money.cost(amount), step) }));
  panel.draw(
    words.costLabel,
    ...valueAxis(band, rise, labels),
    ...lines.map(({ policy, values }) =>
      svg('path', { class: 'policy', 'data-policy': policy, d: linePath(band, rise, values) }),
    ),
    ...requestAxis(band, HEIGHT - 6, (request) => formatCount(request + 1, language)),
  );
}
