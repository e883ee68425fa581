// @ts-check
/** A labelled select box of options that are known by their index. */
import { h } from '../base/dom.js';

export class Choice {
  #label = h('span', {});
  #select = h('select', {});
  element = h('label', {}, this.#label, this.#select);
  /** Label and options that are rendered, as JSON. */
  #rendered = '';

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
      this.#select.replaceChildren(...options.map((option) => h('option', {}, option)));
    }
    this.#select.selectedIndex = selected;
  }
}
