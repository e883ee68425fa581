// @ts-check
'use strict';

/** Numbers call ids and tool names once for each conversation. The core uses only these numbers. */
class Numbering {
  /** @param {(name: string) => number} addName adds a tool's name to the core; returns 0 if no rule covers it, 2 if a rule reads its arguments */
  constructor(addName) {
    this.addName = addName;
    /** @type {Map<string, number>} */ this.ids = new Map();
    /** @type {Map<string, { number: number, covered: boolean, readsArguments: boolean }>} */ this.names = new Map();
  }

  /** The id's number; −1 if it is not a non-empty string. @param {unknown} id */
  idOf(id) {
    if (typeof id !== 'string' || id === '') return -1;
    let number = this.ids.get(id);
    if (number === undefined) {
      number = this.ids.size;
      this.ids.set(id, number);
    }
    return number;
  }

  /** Gives two ids the same number, unless both have one already. @param {unknown} id @param {unknown} other */
  alias(id, other) {
    if (typeof id !== 'string' || typeof other !== 'string' || id === '' || other === '') return;
    const number = this.ids.get(other);
    if (number === undefined) this.ids.set(other, this.idOf(id));
    else if (!this.ids.has(id)) this.ids.set(id, number);
  }

  /** The tool's number, and what rules need of its calls; undefined if the name is no string. @param {unknown} name */
  nameOf(name) {
    if (typeof name !== 'string') return undefined;
    let tool = this.names.get(name);
    if (tool === undefined) {
      const coverage = this.addName(name);
      tool = { number: this.names.size, covered: coverage > 0, readsArguments: coverage > 1 };
      this.names.set(name, tool);
    }
    return tool;
  }
}

module.exports = { Numbering };
