// @ts-check
/**
 * `<context-chart>`: tokens of each request, cache misses, and the cost of each policy.
 *
 * @import { CostPicture, SessionPicture, ThreadPicture } from '../picture.js'
 * @import { PictureEvent } from './events.js'
 */
import { h } from '../base/dom.js';
import { Choice } from '../picture/choice.js';
import { pricesName } from '../picture/naming.js';
import { PictureElement } from '../picture/picture-element.js';
import { drawCosts } from './costs-panel.js';
import { DataTable } from './data-table.js';
import { eventsOf, signSums } from './events.js';
import { KindLegend } from './kind-legend.js';
import { Money } from './money.js';
import { Panel } from './panel.js';
import { PolicyTable } from './policy-table.js';
import { readingOf } from './reading.js';
import { policyCosts } from './series.js';
import { CHART_STYLES } from './styles.js';
import { drawTokens } from './tokens-panel.js';

/** @type {('each' | 'summed')[]} */
const COST_MODES = ['each', 'summed'];

export class ContextChart extends PictureElement {
  static styles = CHART_STYLES;
  static properties = [...PictureElement.properties, 'prices', 'costs'];
  static observedAttributes = ['controls', 'prices', 'costs'];

  #panelHost = {
    hover: (/** @type {number | null} */ request) => this.#show(request ?? this.request),
    choose: (/** @type {number} */ request) => this.goTo(request),
  };
  #tokensPanel = new Panel('tokens', this.#panelHost);
  #costsPanel = new Panel('costs', this.#panelHost);
  #legend = new KindLegend();
  #policies = new PolicyTable();
  #table = new DataTable();
  #pricesChoice = new Choice((index) => {
    this.prices = this.shownThread?.costs[index]?.prices ?? null;
  });
  #modeChoice = new Choice((index) => {
    this.costs = COST_MODES[index] ?? 'each';
  });
  #tokensTitle = h('p', { class: 'title' });
  #costsTitle = h('p', { class: 'title' });
  #reading = h('p', { class: 'reading', part: 'reading', role: 'status' });
  #previous = h('button', { type: 'button', onclick: () => this.#goToEvent(-1) });
  #next = h('button', { type: 'button', onclick: () => this.#goToEvent(1) });
  #eventButtons = h('div', { class: 'steps' }, this.#previous, this.#next);
  #costControls = h('div', { class: 'controls' }, this.#pricesChoice.element, this.#modeChoice.element);
  #scroller = h('div', { class: 'scroller', role: 'group', tabindex: 0 }, this.#policies.element);
  #noCosts = h('p', { class: 'note' });
  #costPart = h('div', {}, this.#costControls, this.#costsPanel.element, this.#scroller);
  #content = h(
    'div',
    { part: 'base' },
    h('div', { class: 'controls' }, this.threads.element),
    this.#tokensTitle,
    this.#tokensPanel.element,
    this.slider.element,
    this.#eventButtons,
    this.#reading,
    this.#legend.element,
    this.#costsTitle,
    this.#costPart,
    this.#noCosts,
    this.#table.element,
  );
  /** @type {PictureEvent[]} */
  #events = [];

  /** Name of the selected price list; an unknown name selects the first. */
  get prices() {
    return this.#cost?.prices ?? null;
  }

  set prices(name) {
    if (name === null || name === undefined) this.removeAttribute('prices');
    else this.setAttribute('prices', String(name));
  }

  /** `summed`: running totals. @returns {'each' | 'summed'} */
  get costs() {
    return this.getAttribute('costs') === 'summed' ? 'summed' : 'each';
  }

  set costs(mode) {
    this.setAttribute('costs', mode === 'summed' ? 'summed' : 'each');
  }

  /** The costs at the selected price list. @returns {CostPicture | null} */
  get #cost() {
    const lists = this.shownThread?.costs ?? [];
    return lists.find(({ prices }) => prices === this.getAttribute('prices')) ?? lists[0] ?? null;
  }

  content() {
    return this.#content;
  }

  /** @param {ThreadPicture} thread @param {number} width */
  drawThread(thread, width) {
    const { words, language } = this;
    const picture = /** @type {SessionPicture} */ (this.shownPicture);
    const cost = this.#cost;
    const money = cost === null ? null : new Money(language, cost);
    const policies = cost === null ? [] : policyCosts(cost);
    this.#events = eventsOf(thread.requests);
    this.#tokensTitle.textContent = words.tokensTitle;
    drawTokens(this.#tokensPanel, width, { words, language, picture, thread, events: this.#events });
    this.#legend.buildKinds(words, picture, thread);
    this.#legend.buildMarks(words, language, signSums(this.#events), money);
    this.#eventButtons.hidden = this.#events.length === 0;
    this.#previous.textContent = words.previousEvent;
    this.#next.textContent = words.nextEvent;
    this.#costsTitle.textContent = words.costTitle;
    this.#noCosts.textContent = words.noCosts;
    this.#noCosts.hidden = policies.length > 0;
    this.#costPart.hidden = policies.length === 0;
    if (money !== null) this.#drawCosts(width, thread.costs, policies, money);
    this.#table.update({ words, language, picture, thread, policies, money, request: this.request });
  }

  /** @param {number} width @param {CostPicture[]} lists @param {ReturnType<typeof policyCosts>} policies @param {Money} money */
  #drawCosts(width, lists, policies, money) {
    const { words, language } = this;
    const names = lists.map((list) => pricesName(words, list));
    const chosen = lists.findIndex(({ prices }) => prices === this.prices);
    this.#pricesChoice.update(words.prices, names, Math.max(0, chosen));
    this.#modeChoice.update(words.costMode, [words.eachRequest, words.summedUp], COST_MODES.indexOf(this.costs));
    this.#scroller.setAttribute('aria-label', words.costTitle);
    drawCosts(this.#costsPanel, width, { words, language, policies, isSummed: this.costs === 'summed', money });
    this.#policies.build(words, language, policies, money);
  }

  /** @param {ThreadPicture} _thread @param {number} request */
  drawRequest(_thread, request) {
    this.#show(request);
  }

  /** Shows the figures of a request. @param {number} index of the selected request, or of the one under the pointer */
  #show(index) {
    const thread = this.shownThread;
    const request = thread?.requests[index];
    if (thread === null || request === undefined) return;
    this.#tokensPanel.moveCursor(index);
    this.#costsPanel.moveCursor(index);
    this.#legend.showAmounts(this.language, thread, index);
    this.#policies.showCosts(index);
    this.#reading.textContent = readingOf(this.words, this.language, request, index, thread.requests.length);
    this.#previous.disabled = !this.#events.some((event) => event.request < this.request);
    this.#next.disabled = !this.#events.some((event) => event.request > this.request);
  }

  /** Selects the next or the previous request with an event. @param {-1 | 1} direction */
  #goToEvent(direction) {
    const isWanted = (/** @type {PictureEvent} */ { request }) => direction * (request - this.request) > 0;
    const event = direction > 0 ? this.#events.find(isWanted) : this.#events.findLast(isWanted);
    if (event !== undefined) this.goTo(event.request);
  }
}
