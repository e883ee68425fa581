// @ts-check
/**
 * The bar above the conversation: counts, search, list of prompts, buttons that expand and collapse all.
 *
 * @import { Totals } from '../../lib/history/levels.js'
 * @import { Language } from '../base/language.js'
 * @import { Prompt } from './outline.js'
 * @typedef {object} Handlers
 * @property {(query: string) => void} search
 * @property {(by: number) => void} step to the next (1) or previous (−1) match
 * @property {(key: string) => void} toPrompt gets the key of a prompt's row
 * @property {() => void} expandAll
 * @property {() => void} collapseAll
 */
import shared from '../../lib/history/texts.js';
import { h } from '../base/dom.js';
import { formatCount } from '../base/format.js';
import { legible } from '../picture/naming.js';
import { MAX_HITS } from './search.js';
import { WORDS } from './words.js';

/** UTF-16 units shown of a prompt in the list. */
const PROMPT_UNITS = 80;

export class Toolbar {
  /** What the list of prompts was rendered from. @type {{ prompts: unknown, language: Language } | null} */
  #rendered = null;

  /** @param {Handlers} handlers */
  constructor(handlers) {
    this.counts = h('div', { class: 'counts', part: 'counts' });
    this.field = h('input', { type: 'search', part: 'search-field', autocomplete: 'off', spellcheck: 'false' });
    this.found = h('output', { part: 'search-result', 'aria-live': 'polite' });
    this.previous = h('button', { type: 'button', onclick: () => handlers.step(-1) }, '↑');
    this.next = h('button', { type: 'button', onclick: () => handlers.step(1) }, '↓');
    this.prompts = h('select', { part: 'prompts' });
    this.prompts.addEventListener('change', () => {
      const key = this.prompts.value;
      this.prompts.selectedIndex = 0;
      handlers.toPrompt(key);
    });
    this.expandAll = h('button', { type: 'button', onclick: handlers.expandAll, part: 'expand-all' });
    this.collapseAll = h('button', { type: 'button', onclick: handlers.collapseAll, part: 'collapse-all' });
    this.field.addEventListener('input', () => handlers.search(this.field.value));
    this.field.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.isComposing) return;
      event.preventDefault();
      handlers.step(event.shiftKey ? -1 : 1);
    });
    const search = h('div', { class: 'search', role: 'search' }, this.field, this.found, this.previous, this.next);
    this.element = h(
      'div',
      { class: 'toolbar', part: 'toolbar' },
      this.counts,
      search,
      this.prompts,
      this.expandAll,
      this.collapseAll,
    );
  }

  /** @param {Language} language */
  setLanguage(language) {
    const words = WORDS[language];
    this.field.placeholder = words.search;
    this.field.setAttribute('aria-label', words.search);
    this.prompts.setAttribute('aria-label', words.toPrompt);
    this.expandAll.replaceChildren(words.expandAll);
    this.collapseAll.replaceChildren(words.collapseAll);
    for (const [button, name] of /** @type {const} */ ([
      [this.previous, words.previous],
      [this.next, words.next],
    ])) {
      button.setAttribute('aria-label', name);
      button.title = name;
    }
  }

  /** @param {Totals} totals @param {Language} language */
  showTotals({ messages, points, tokensSaved }, language) {
    const texts = shared.TEXTS[language];
    const number = (/** @type {number} */ value) => formatCount(value, language);
    const saved = tokensSaved > 0 && h('span', { class: 'saved' }, texts.savedInAll(number(tokensSaved)));
    this.counts.replaceChildren(
      h('strong', {}, texts.total(number(messages))),
      ...(points > 0 ? [' · ', texts.points(number(points))] : []),
      ...(saved ? [' · ', saved] : []),
    );
    this.expandAll.disabled = points === 0;
    this.collapseAll.disabled = points === 0;
  }

  /** @param {ReadonlyMap<string, Prompt>} prompts @param {Language} language */
  showPrompts(prompts, language) {
    // Rendering the list again would disturb a user who has it open.
    if (this.#rendered?.prompts === prompts && this.#rendered.language === language) return;
    this.#rendered = { prompts, language };
    const words = WORDS[language];
    const count = (/** @type {number} */ value) => formatCount(value, language);
    const options = [...prompts.values()].map(({ key, number, text }) => {
      const [line = ''] = text.trim().split('\n', 1);
      return h('option', { value: key }, `${count(number)} · ${legible(line.slice(0, PROMPT_UNITS))}`);
    });
    this.prompts.hidden = options.length === 0;
    this.prompts.replaceChildren(h('option', { value: '' }, words.prompts(count(prompts.size))), ...options);
  }

  /**
   * Shows the matches of a search.
   * @param {{ selected: number, count: number, notSearched: number } | undefined} result @param {Language} language
   */
  showResult(result, language) {
    const words = WORDS[language];
    this.previous.disabled = result === undefined || result.count === 0;
    this.next.disabled = this.previous.disabled;
    if (result === undefined) return this.found.replaceChildren();
    const { selected, count, notSearched } = result;
    const total = `${formatCount(count, language)}${count >= MAX_HITS ? '+' : ''}`;
    const position = selected < 0 ? '–' : formatCount(selected + 1, language);
    const found = count === 0 ? words.nothingFound : words.found(position, total);
    const rest = notSearched > 0 ? ` · ${words.notSearched(formatCount(notSearched, language))}` : '';
    return this.found.replaceChildren(`${found}${rest}`);
  }
}
