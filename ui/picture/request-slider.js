// @ts-check
/**
 * Selects a request. It is a native range input, for its keyboard, touch and screen reader support.
 *
 * @import { ThreadPicture } from '../picture.js'
 * @import { Language } from '../base/language.js'
 * @import { Words } from './words.js'
 */
import { h } from '../base/dom.js';
import { formatCount, formatTime } from '../base/format.js';
import { legible } from './naming.js';

export class RequestSlider {
  #input = h('input', { type: 'range', min: 1, step: 1, part: 'slider', id: 'request' });
  #label = h('label', { for: 'request' });
  #output = h('output', { for: 'request' });
  element = h('div', { class: 'slider' }, this.#label, this.#input, this.#output);

  /** @param {(request: number) => void} moved */
  constructor(moved) {
    this.#input.addEventListener('input', () => moved(Number(this.#input.value) - 1));
  }

  /** @param {Words} words @param {Language} language @param {ThreadPicture} thread @param {number} request */
  update(words, language, { requests }, request) {
    const count = requests.length;
    const position = words.requestOf(formatCount(request + 1, language), formatCount(count, language));
    const { timeMs = null, model = null } = requests[request] ?? {};
    const time = timeMs === null ? undefined : formatTime(timeMs, language)?.text;
    const text = [position, time, model === null ? undefined : legible(model)]
      .filter((part) => part !== undefined)
      .join(' · ');
    this.#label.textContent = words.request;
    this.#input.max = String(Math.max(1, count));
    this.#input.value = String(request + 1);
    this.#input.setAttribute('aria-valuetext', text);
    this.#output.textContent = text;
  }
}
