// @ts-check
/**
 * `<context-chart>`: tokens of each request, cache losses, and the cost of each policy.
 * @import { CostPicture, RequestPicture, SessionPicture, ThreadPicture } from '../picture.js'
 * @import { Words } from '../picture/words.js'
 * @import { PictureEvent } from './events.js'
 */
import { h } from '../base/dom.js';
import { Choice } from '../picture/controls.js';
import { SLOTS } from '../picture/palette.js';
import { PICTURE_STYLES, PictureElement } from '../picture/picture-element.js';
import { pricesName } from '../picture/words.js';
import { drawCosts, Money, PolicyTable, policyCosts } from './costs.js';
import { DataTable } from './data-table.js';
import { eventsOf, signSums, signTexts } from './events.js';
import { Panel } from './plot.js';
import { drawTokens, KindLegend, LANES_HEIGHT } from './tokens-panel.js';

/** @type {('each' | 'summed')[]} */ const COST_MODES = ['each', 'summed'];

const CHART_STYLES = `
${PICTURE_STYLES}
:host {
  --_policy-left: var(--palimpsest-policy-left-alone, light-dark(#57606a, #a2abb8));
  --_policy-every: var(--palimpsest-policy-every-request, light-dark(#a04a00, #f0a050));
  --_policy-view: var(--palimpsest-policy-view, light-dark(#0b57b0, #7db4ff));
  --_policy-paid: var(--palimpsest-policy-paid, light-dark(#8a1f80, #e08ad8));
}
.title { margin: 12px 0 4px; font-weight: 600; }
.panel { display: block; max-width: 100%; overflow: visible; cursor: crosshair; }
.panel text { font: 11px/1 var(--_font); fill: var(--_muted); font-variant-numeric: tabular-nums; }
.panel .name { fill: var(--_text); paint-order: stroke; stroke: var(--_background); stroke-width: 3px; stroke-linejoin: round; pointer-events: none; }
.grid { stroke: var(--_border); stroke-width: 1; }
.area { stroke: var(--_background); stroke-width: .75; }
${SLOTS.map((slot) => `.area[data-slot='${slot}'] { fill: var(--_cell-${slot}); }`).join('\n')}
.texture { pointer-events: none; }
.thread { fill: none; stroke: var(--_background); stroke-width: 1.2; stroke-opacity: .6; }
.view-line, .view-halo { fill: none; stroke: var(--_text); stroke-width: 2; stroke-dasharray: 5 3; }
.view-halo { stroke: var(--_background); stroke-width: 4; stroke-dasharray: none; }
.compaction-line { fill: none; stroke: var(--_text); stroke-width: 1.5; stroke-dasharray: 2 3; }
.loss { fill: var(--_ink-pending); stroke: var(--_ink-pending); stroke-width: 1; }
.begin { fill: none; stroke: var(--_text); stroke-width: 1.5; }
.cursor { fill: var(--_text); fill-opacity: .18; stroke: var(--_text); stroke-width: 1; pointer-events: none; }
.policy { fill: none; stroke-width: 1.75; }
.policy[data-policy='leftAlone'] { stroke: var(--_policy-left); }
.policy[data-policy='everyRequest'] { stroke: var(--_policy-every); stroke-dasharray: 2 2; }
.policy[data-policy='view'] { stroke: var(--_policy-view); stroke-width: 2.5; }
.policy[data-policy='paid'] { stroke: var(--_policy-paid); stroke-dasharray: 8 3 2 3; }
.reading { min-height: 3em; margin: 4px 0; }
.steps { display: flex; gap: 8px; }
.swatch, .sample { flex: none; }
.sample { vertical-align: middle; margin-inline-end: 6px; }
.marks .amount { white-space: normal; }
.scroller, .table-scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { padding: 4px 0; text-align: start; color: var(--_muted); }
th, td { padding: 3px 10px 3px 0; border-bottom: 1px solid var(--_border); text-align: end; white-space: nowrap; }
th { font-weight: 600; }
thead th { color: var(--_muted); font-weight: 400; vertical-align: bottom; white-space: normal; }
th:first-child { text-align: start; }
.policies { width: 100%; }
.policies th[scope='row'] { white-space: normal; font-weight: 400; }
@media (max-width: 480px) { .policies { font-size: .87em; } .policies :is(th, td) { padding-inline-end: 6px; } .policies .sample { display: block; } }
.part-known { color: var(--_muted); }
.data { margin-top: 12px; }
.table-scroll { max-height: 420px; overflow: auto; margin-top: 6px; border: 1px solid var(--_border); border-radius: 6px; padding: 0 8px; }
.turns { display: flex; gap: 8px; margin-top: 6px; }
.note { color: var(--_muted); }
@media (forced-colors: active) {
  :host { --_policy-left: CanvasText; --_policy-every: CanvasText; --_policy-view: Highlight; --_policy-paid: CanvasText; }
  .area { stroke: CanvasText; }
  .thread { stroke: CanvasText; stroke-opacity: 1; }
}
`;

export class ContextChart extends PictureElement {
  static styles = CHART_STYLES;
  static properties = [...PictureElement.properties, 'prices', 'costs'];
  static observedAttributes = ['controls', 'prices', 'costs'];

  #panelHost = {
    hover: (/** @type {number | null} */ request) =>
      this.shownThread !== null && this.drawRequest(this.shownThread, request ?? this.request),
    choose: (/** @type {number} */ request) => this.goTo(request),
  };
  #tokensPanel = new Panel('tokens', 260, LANES_HEIGHT, this.#panelHost);
  #costsPanel = new Panel('costs', 190, 8, this.#panelHost);
  #legend = new KindLegend();
  #policyTable = new PolicyTable();
  #dataTable = new DataTable();
  #pricesChoice = new Choice((index) => {
    this.prices = this.shownThread?.costs[index]?.prices ?? null;
  });
  #modeChoice = new Choice((index) => this.setAttribute('costs', COST_MODES[index] ?? 'each'));
  #tokensTitle = h('p.title');
  #costsTitle = h('p.title');
  #figures = h('p.reading', { part: 'reading', role: 'status' });
  #previousEvent = h('button', { onclick: () => this.#goToEvent(-1) });
  #nextEvent = h('button', { onclick: () => this.#goToEvent(1) });
  #eventButtons = h('div.steps', this.#previousEvent, this.#nextEvent);
  #costControls = h('div.controls', this.#pricesChoice.element, this.#modeChoice.element);
  #scroller = h('div.scroller', { role: 'group', tabindex: 0 }, this.#policyTable.element);
  #noCostsNote = h('p.note');
  #costsSection = h('div', this.#costControls, this.#costsPanel.element, this.#scroller);
  content = h(
    'div',
    { part: 'base' },
    h('div.controls', this.threadChoice.element),
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
    if (money !== null) {
      const names = thread.costs.map((list) => pricesName(words, list));
      const selected = thread.costs.findIndex(({ prices }) => prices === this.prices);
      this.#pricesChoice.update(words.prices, names, Math.max(0, selected));
      this.#modeChoice.update(words.costMode, [words.eachRequest, words.summedUp], COST_MODES.indexOf(this.costs));
      this.#scroller.setAttribute('aria-label', words.costTitle);
      drawCosts(this.#costsPanel, width, { words, policies, isSummed: this.costs === 'summed', money });
      this.#policyTable.build(words, policies, money);
    }
    this.#dataTable.update({ words, picture, thread, policies, money, request: this.request });
  }

  /** @param {ThreadPicture} thread @param {number} index of the selected request, or of the one under the pointer */
  drawRequest(thread, index) {
    const request = thread.requests[index];
    if (request === undefined) return;
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

/** @param {Words} words @param {RequestPicture} request @param {number} index @param {number} count of requests */
function figuresText(words, request, index, count) {
  const { tokens, tokensView, cachedTokens, usage } = request;
  const parts = [words.tokens(words.number(tokens)), `${words.policies.view} ${words.number(tokensView)}`];
  if (cachedTokens > 0 && tokensView > 0) parts.push(`${words.isCached} ${words.share(cachedTokens / tokensView)}`);
  if (usage !== null && usage !== undefined) {
    parts.push(`${words.reported} ${words.reportedPrompt(words.number(usage.prompt), words.number(usage.cacheRead))}`);
  }
  const head = words.requestOf(words.number(index + 1), words.number(count));
  return `${head}${words.colon}${[...parts, ...signTexts(words, request)].join(words.semicolon)}`;
}
