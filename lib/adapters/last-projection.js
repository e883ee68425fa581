// @ts-check
'use strict';

const { sharedBy } = require('../view/likeness.js');

/**
 * What the last request sent, for an agent that goes on when we fail: sending its history as it is stored would turn the prefix
 * round, and the provider's cache would be lost twice, with the failed request and with the one after it.
 */
class LastProjection {
  /** @type {readonly any[]} */ #given = [];
  /** @type {readonly any[]} */ #sent = [];

  /** @param {readonly any[]} given all messages @param {readonly any[]} sent what was sent of them */
  note(given, sent) {
    this.#given = given;
    this.#sent = sent;
  }

  /**
   * What to send where nothing could be decided: what was sent, and as it is what is new since. Never throws; the messages
   * themselves where the last request says nothing about them. O(messages).
   * @param {readonly any[]} messages
   * @returns {any[]}
   */
  goneOn(messages) {
    try {
      const shared = sharedBy(messages, this.#given);
      if (shared === this.#given.length) return [...this.#sent, ...messages.slice(shared)];
      // An answer to an interrupted call may stand between them: then places don't tell which is which.
      if (this.#sent.length !== this.#given.length) return [...messages];
      return messages.map((message, index) => (index < shared ? this.#sent[index] : message));
    } catch {
      return [...messages];
    }
  }
}

module.exports = { LastProjection };
