// @ts-check
/**
 * `<context-chart>`: tokens of each request, cache losses, and the cost of each policy.
 *
 * @import { CostPicture, RequestPicture, SessionPicture, ThreadPicture } from '../picture.js'
 * @import { Words } from '../picture/words.js'
 * @import { PolicyCost } from './costs.js'
 * @import { PictureEvent } from './events.js'
 */
import { h } from '../base/dom.js';
import { formatCount, formatShare } from '../base/format.js';
import { Choice } from '../picture/controls.js';
import { pricesName } from '../picture/naming.js';
import { PictureElement } from '../picture/picture-element.js';
import { Money, policyCosts } from './costs.js';
import { drawCosts, PolicyTable } from './costs-panel.js';
import { DataTable } from './data-table.js';
import { eventsOf, signSums, signTexts } from './events.js';
import { KindLegend } from './kind-legend.js';
import { Panel } from './panel.js';
import { CHART_STYLES } from './styles.js';
import { drawTokens } from './tokens-panel.js';

/** @type {('each' | 'summed')[]} */
const COST_MODES = ['each', 'summed'];

export class ContextChart extends PictureElement {
  static styles = CHART_STYLES;
  static properties = [...PictureElement.properties, 'prices', 'costs'];
  static observedAttributes = ['controls', 'prices', 'costs'];

  #panelHost = {
    hover: (/** @type {number | null} */ request) => this.#showFigures(request ?? this.request),
    choose: (/** @type {number} */ request) => this.goTo(request),
  };
  #tokensPanel = new Panel('tokens', this.#panelHost);
  #costsPanel = new Panel('costs', this.#panelHost);
  #legend = new KindLegend();
  #policyTable = new PolicyTable();
  #dataTable = new DataTable();
  #pricesChoice = new Choice((index) => {
    this.prices = this.shownThread?.costs[index]?.prices ?? null;
  });
  #modeChoice = new Choice((index) => {
    this.costs = COST_MODES[index] ?? 'each';
  });
  #tokensTitle = h('p', { class: 'title' });
  #costsTitle = h('p', { class: 'title' });
  #figures = h('p', { class: 'reading', part: 'reading', role: 'status' });
  #previousEvent = h('button', { type: 'button', onclick: () => this.#goToEvent(-1) });
  #nextEvent = h('button', { type: 'button', onclick: () => this.#goToEvent(1) });
  #eventButtons = h('div', { class: 'steps' }, this.#previousEvent, this.#nextEvent);
  #costControls = h('div', { class: 'controls' }, this.#pricesChoice.element, this.#modeChoice.element);
  #scroller = h('div', { class: 'scroller', role: 'group', tabindex: 0 }, this.#policyTable.element);
  #noCostsNote = h('p', { class: 'note' });
  #costsSection = h('div', {}, this.#costControls, this.#costsPanel.element, this.#scroller);
  #content = h(
    'div',
    { part: 'base' },
    h('div', { class: 'controls' }, this.threadChoice.element),
    this.#tokensTitle,
    this.#tokensPanel.element,
    this.slider.element,
    this.#eventButtons,
    this.#figures,
    this.#legend.element,
    this.#costsTitle,
    this.#costsSection,
    this.#noCostsNote,
    this.#dataTable.element,
  );
  /** @type {PictureEvent[]} */ #events = [];

  /** Name of the selected price list; an unknown name selects the first. */
  get prices() {
    return this.#cost?.prices ?? null;
  }

  set prices(name) {
    if (name === null || name === undefined) this.removeAttribute('prices');
    else this.setAttribute('prices', String(name));
  }

  /** Costs of each request, or running totals. @returns {'each' | 'summed'} */
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
    const { words } = this;
    const picture = /** @type {SessionPicture} */ (this.shownPicture);
    const cost = this.#cost;
    const money = cost === null ? null : new Money(words.language, cost);
    const policies = cost === null ? [] : policyCosts(cost);
    this.#events = eventsOf(thread.requests);
    this.#tokensTitle.textContent = words.tokensTitle;
    drawTokens(this.#tokensPanel, width, { words, picture, thread, events: this.#events });
    this.#legend.buildKinds(words, picture, thread);
    this.#legend.buildSigns(words, signSums(this.#events), money);
    this.#eventButtons.hidden = this.#events.length === 0;
    this.#previousEvent.textContent = words.previousEvent;
    this.#nextEvent.textContent = words.nextEvent;
    this.#costsTitle.textContent = words.costTitle;
    this.#noCostsNote.textContent = words.noCosts;
    this.#noCostsNote.hidden = policies.length > 0;
    this.#costsSection.hidden = policies.length === 0;
    if (money !== null) this.#drawCosts(width, thread.costs, policies, money);
    this.#dataTable.update({ words, picture, thread, policies, money, request: this.request });
  }

  /** @param {number} width @param {CostPicture[]} lists @param {PolicyCost[]} policies @param {Money} money */
  #drawCosts(width, lists, policies, money) {
    const { words } = this;
    const names = lists.map((list) => pricesName(words, list));
    const selected = lists.findIndex(({ prices }) => prices === this.prices);
    this.#pricesChoice.update(words.prices, names, Math.max(0, selected));
    this.#modeChoice.update(words.costMode, [words.eachRequest, words.summedUp], COST_MODES.indexOf(this.costs));
    this.#scroller.setAttribute('aria-label', words.costTitle);
    drawCosts(this.#costsPanel, width, { words, policies, isSummed: this.costs === 'summed', money });
    this.#policyTable.build(words, policies, money);
  }

  /** @param {ThreadPicture} _thread @param {number} request */
  drawRequest(_thread, request) {
    this.#showFigures(request);
  }

  /** Shows the figures of a request. @param {number} index of the selected request, or of the one under the pointer */
  #showFigures(index) {
    const thread = this.shownThread;
    const request = thread?.requests[index];
    if (thread === null || request === undefined) return;
    this.#tokensPanel.moveCursor(index);
    this.#costsPanel.moveCursor(index);
    this.#legend.showRequest(this.words, thread, index);
    this.#policyTable.showRequest(index);
    this.#figures.textContent = figuresText(this.words, request, index, thread.requests.length);
    this.#previousEvent.disabled = !this.#events.some((event) => event.request < this.request);
    this.#nextEvent.disabled = !this.#events.some((event) => event.request > this.request);
  }

  /** Selects the next or the previous request with an event. @param {-1 | 1} direction */
  #goToEvent(direction) {
    const isBeyond = (/** @type {PictureEvent} */ { request }) => direction * (request - this.request) > 0;
    const event = direction > 0 ? this.#events.find(isBeyond) : this.#events.findLast(isBeyond);
    if (event !== undefined) this.goTo(event.request);
  }
}

/** @param {Words} words @param {RequestPicture} request @param {number} index of the request @param {number} count of requests */
function figuresText(words, request, index, count) {
  const { language } = words;
  const number = (/** @type {number} */ value) => formatCount(value, language);
  const { tokens, tokensView, cachedTokens, usage } = request;
  const parts = [words.tokens(number(tokens)), `${words.asView} ${number(tokensView)}`];
  if (cachedTokens > 0 && tokensView > 0)
    parts.push(`${words.cachedShort} ${formatShare(cachedTokens / tokensView, language)}`);
  if (usage !== null && usage !== undefined) {
    parts.push(`${words.reported} ${words.reportedPrompt(number(usage.prompt), number(usage.cacheRead))}`);
  }
  const head = words.requestOf(number(index + 1), number(count));
  return `${head}${words.colon}${[...parts, ...signTexts(words, request)].join(words.semicolon)}`;
}
