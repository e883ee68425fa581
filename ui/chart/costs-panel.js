// @ts-check
/**
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

const HEIGHT = 190;
const TOP = 8;
const AXIS = 22;

/**
 * @param {Panel} panel @param {number} width
 * @param {{ words: Words, language: Language, policies: PolicyCost[], isSummed: boolean, money: Money }} what
 */
export function drawCosts(panel, width, { words, language, policies, isSummed, money }) {
  const count = policies[0]?.each.length ?? 0;
  const band = panel.size(width, HEIGHT, count);
  const lines = policies.map(({ policy, each }) => ({ policy, values: isSummed ? cumulative(each) : each }));
  const steps = ticks(money.amount(largest(lines.map(({ values }) => values))), 4);
  const rise = { top: TOP, height: HEIGHT - TOP - AXIS, most: money.cost(steps.at(-1) ?? 1) };
  const step = money.cost(steps[1] ?? 1);
  const labels = steps.map((amount) => ({ value: money.cost(amount), text: money.format(money.cost(amount), step) }));
  panel.draw(
    words.costLabel,
    ...valueAxis(band, rise, labels),
    ...lines.map(({ policy, values }) =>
      svg('path', { class: 'policy', 'data-policy': policy, d: linePath(band, rise, values) }),
    ),
    ...requestAxis(band, HEIGHT - 6, (place) => formatCount(place + 1, language)),
  );
}
