// @ts-check
import { h } from '../base/dom.js';

export class Choice {
  #name = h('span', {});
  #select = h('select', {});
  element = h('label', {}, this.#name, this.#select);
  #shown = '';

  /** @param {(place: number) => void} chosen */
  constructor(chosen) {
    this.#select.addEventListener('change', () => chosen(this.#select.selectedIndex));
  }

  /** @param {string} name @param {string[]} options @param {number} place */
  update(name, options, place) {
    const shown = JSON.stringify([name, options]);
    // Rendering the list again would disturb a user who has it open.
    if (shown !== this.#shown) {
      this.#shown = shown;
      this.#name.textContent = name;
      this.#select.replaceChildren(...options.map((option) => h('option', {}, option)));
    }
    this.#select.selectedIndex = place;
  }
}
