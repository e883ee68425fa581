// @ts-check
/**
 * The bar above the conversation: counts, search, list of prompts, buttons that expand and collapse all.
 * @import { Totals } from '../../lib/history/levels.js'
 * @import { Prompt } from './outline.js'
 * @import { Search } from './search.js'
 * @import { Words } from './words.js'
 * @typedef {(text: string) => void} Handler `toPrompt` gets the key of a prompt's row, `search` the query
 * @typedef {{ search: Handler, toPrompt: Handler, step: (by: 1 | -1) => void }} Steps `by` 1: to the next match
 * @typedef {Steps & { expandAll: () => void, collapseAll: () => void }} Handlers
 */
import { h, setAttributes } from '../base/dom.js';
import { legible } from '../base/safe-text.js';
import { MAX_MATCHES } from './search.js';
import { WORDS } from './words.js';

/** UTF-16 units shown of a prompt in the list. */ const PROMPT_UNITS = 80;

export class Toolbar {
  /** What the list of prompts was rendered from. @type {{ prompts: unknown, words: Words } | null} */ #rendered = null;
  #words = WORDS.en;

  /** @param {Handlers} handlers */
  constructor(handlers) {
    this.counts = h('div.counts', { part: 'counts' });
    this.field = h('input', { type: 'search', part: 'search-field', autocomplete: 'off', spellcheck: 'false' });
    this.found = h('output', { part: 'search-result', 'aria-live': 'polite' });
    this.previous = h('button', { onclick: () => handlers.step(-1) }, '↑');
    this.next = h('button', { onclick: () => handlers.step(1) }, '↓');
    this.prompts = h('select', { part: 'prompts' });
    this.prompts.addEventListener('change', () => {
      const key = this.prompts.value;
      this.prompts.selectedIndex = 0;
      handlers.toPrompt(key);
    });
    this.expandAll = h('button', { onclick: handlers.expandAll, part: 'expand-all' });
    this.collapseAll = h('button', { onclick: handlers.collapseAll, part: 'collapse-all' });
    this.field.addEventListener('input', () => handlers.search(this.field.value));
    this.field.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.isComposing) return;
      event.preventDefault();
      handlers.step(event.shiftKey ? -1 : 1);
    });
    const search = h('div.search', { role: 'search' }, this.field, this.found, this.previous, this.next);
    const content = [this.counts, search, this.prompts, this.expandAll, this.collapseAll];
    this.element = h('div.toolbar', { part: 'toolbar' }, content);
  }

  /** @param {Words} words */
  setWords(words) {
    this.#words = words;
    setAttributes(this.field, { placeholder: words.search, 'aria-label': words.search });
    setAttributes(this.prompts, { 'aria-label': words.toPrompt });
    this.expandAll.textContent = words.expandAll;
    this.collapseAll.textContent = words.collapseAll;
    setAttributes(this.previous, { 'aria-label': words.previous, title: words.previous });
    setAttributes(this.next, { 'aria-label': words.next, title: words.next });
  }

  /** @param {Totals} totals */
  showTotals({ messages, points, tokensSaved }) {
    const words = this.#words;
    this.counts.replaceChildren(h('strong', words.total(words.number(messages))));
    if (points > 0) this.counts.append(` · ${words.points(words.number(points))}`);
    if (tokensSaved > 0) this.counts.append(' · ', h('span.saved', words.savedInAll(words.number(tokensSaved))));
    this.expandAll.disabled = points === 0;
    this.collapseAll.disabled = points === 0;
  }

  /** @param {ReadonlyMap<string, Prompt>} prompts */
  showPrompts(prompts) {
    const words = this.#words;
    // Rendering the list again would disturb a user who has it open.
    if (this.#rendered?.prompts === prompts && this.#rendered.words === words) return;
    this.#rendered = { prompts, words };
    const options = [...prompts].map(([value, { number, line }]) =>
      h('option', { value }, `${words.number(number)} · ${legible(line.slice(0, PROMPT_UNITS))}`),
    );
    this.prompts.hidden = options.length === 0;
    this.prompts.replaceChildren(h('option', { value: '' }, words.prompts(words.number(prompts.size))), ...options);
  }

  /** @param {Search} search @param {number} notSearched how many compressions in the archive were not searched */
  showResult({ pattern, selectedIndex, matches }, notSearched) {
    const words = this.#words;
    const matchCount = matches.length;
    const position = selectedIndex < 0 ? '–' : words.number(selectedIndex + 1);
    const total = `${words.number(matchCount)}${matchCount >= MAX_MATCHES ? '+' : ''}`;
    const found = matchCount === 0 ? words.nothingFound : words.found(position, total);
    const rest = notSearched > 0 ? ` · ${words.notSearched(words.number(notSearched))}` : '';
    this.previous.disabled = matchCount === 0;
    this.next.disabled = matchCount === 0;
    this.found.textContent = pattern === undefined ? '' : `${found}${rest}`;
  }
}
