// @ts-check
/**
 * The form controls of `<context-map>` and `<context-chart>`.
 * @import { ThreadPicture } from '../picture.js'
 * @import { Words } from './words.js'
 */
import { h } from '../base/dom.js';
import { formatTime } from '../base/format.js';
import { legible } from '../base/safe-text.js';

/** A labelled select box of options that are known by their index. */
export class Choice {
  #label = h('span');
  #select = h('select');
  element = h('label', this.#label, this.#select);
  /** Label and options that are rendered, as JSON. */ #rendered = '';

  /** @param {(index: number) => void} chosen called when the user selects an option */
  constructor(chosen) {
    this.#select.addEventListener('change', () => chosen(this.#select.selectedIndex));
  }

  /** @param {string} label @param {string[]} options @param {number} selected index of an option */
  update(label, options, selected) {
    const wanted = JSON.stringify([label, options]);
    // Rendering the list again would disturb a user who has it open.
    if (wanted !== this.#rendered) {
      this.#rendered = wanted;
      this.#label.textContent = label;
      this.#select.replaceChildren(...options.map((option) => h('option', option)));
    }
    this.#select.selectedIndex = selected;
  }
}

/** Selects a request. It is a native range input, for its keyboard, touch and screen reader support. */
export class RequestSlider {
  #input = h('input', { type: 'range', min: 1, step: 1, part: 'slider', id: 'request' });
  #label = h('label', { for: 'request' });
  #output = h('output', { for: 'request' });
  element = h('div.slider', this.#label, this.#input, this.#output);

  /** @param {(request: number) => void} moved called when the user moves the slider, with the index of a request */
  constructor(moved) {
    this.#input.addEventListener('input', () => moved(Number(this.#input.value) - 1));
  }

  /** @param {Words} words @param {ThreadPicture} thread @param {number} request index */
  update(words, { requests }, request) {
    const { language } = words;
    const count = requests.length;
    const position = words.requestOf(words.number(request + 1), words.number(count));
    const { timeMs = null, model = null } = requests[request] ?? {};
    const time = timeMs === null ? undefined : formatTime(timeMs, language)?.text;
    const parts = [position, time, model === null ? undefined : legible(model)];
    const text = parts.filter((part) => part !== undefined).join(' · ');
    this.#label.textContent = words.request;
    this.#input.max = String(Math.max(1, count));
    this.#input.value = String(request + 1);
    this.#input.setAttribute('aria-valuetext', text);
    this.#output.textContent = text;
  }
}
