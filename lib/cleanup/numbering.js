// @ts-check
'use strict';

/** Numbers call ids and tool names, once for the life of a conversation: the core knows them by nothing else. */
class Numbering {
  /** @param {(name: string) => number} addName tells the core a tool's name; 0: no rule covers it, 2: one reads its arguments */
  constructor(addName) {
    this.addName = addName;
    /** @type {Map<string, number>} */ this.ids = new Map();
    /** @type {Map<string, { number: number, covered: boolean, readsArguments: boolean }>} */ this.names = new Map();
  }

  /** −1 for what is no id. @param {unknown} id */
  idOf(id) {
    if (typeof id !== 'string' || id === '') return -1;
    let number = this.ids.get(id);
    if (number === undefined) {
      number = this.ids.size;
      this.ids.set(id, number);
    }
    return number;
  }

  /** Has two ids mean the same, unless both have a number of their own. @param {unknown} id @param {unknown} other */
  alias(id, other) {
    if (typeof id !== 'string' || typeof other !== 'string' || id === '' || other === '') return;
    const known = this.ids.get(other);
    if (known === undefined) this.ids.set(other, this.idOf(id));
    else if (!this.ids.has(id)) this.ids.set(id, known);
  }

  /** @param {unknown} name */
  nameOf(name) {
    if (typeof name !== 'string') return undefined;
    let entry = this.names.get(name);
    if (entry === undefined) {
      const interest = this.addName(name);
      entry = { number: this.names.size, covered: interest > 0, readsArguments: interest > 1 };
      this.names.set(name, entry);
    }
    return entry;
  }
}

module.exports = { Numbering };
