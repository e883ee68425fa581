// @ts-check
'use strict';

/** Numbers call ids and tool names, once for the life of a conversation: the core knows them by nothing else. */
class Numbering {
  /** @param {(name: string) => boolean} addName tells the core of a tool name; true when a rule covers it */
  constructor(addName) {
    this.addName = addName;
    /** @type {Map<string, number>} */ this.ids = new Map();
    /** @type {Map<string, { number: number, covered: boolean }>} */ this.names = new Map();
  }

  /**
   * The number of an id: −1 for what is none.
   * @param {unknown} id
   */
  idOf(id) {
    if (typeof id !== 'string' || id === '') return -1;
    let number = this.ids.get(id);
    if (number === undefined) {
      number = this.ids.size;
      this.ids.set(id, number);
    }
    return number;
  }

  /** @param {unknown} name */
  nameOf(name) {
    if (typeof name !== 'string') return undefined;
    let entry = this.names.get(name);
    if (entry === undefined) {
      entry = { number: this.names.size, covered: this.addName(name) };
      this.names.set(name, entry);
    }
    return entry;
  }
}

module.exports = { Numbering };
