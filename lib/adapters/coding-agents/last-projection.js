// @ts-check
'use strict';

/**
 * How an agent's messages, or parts of them, are told apart and replaced.
 * @typedef {object} Form
 * @property {(message: any) => string | undefined} idOf none for what is always sent as it is
 * @property {(message: any) => unknown} bodyOf what is replaced in it
 * @property {(message: any, body: any) => any} withBody a copy with that in its place
 */

/**
 * What was sent in place of which messages, for an agent that goes on when we fail: sending its history as it is stored would turn
 * the prefix round, and the provider's cache would be lost twice, with the failed request and with the one after it.
 *
 * It knows nothing but ids and what stood there, so that it works where a view doesn't.
 */
class LastProjection {
  #form;
  /** By a message's id. @type {Map<string, unknown>} */ #sent = new Map();

  /** @param {Form} form */
  constructor(form) {
    this.#form = form;
  }

  /**
   * Takes in a request. O(messages).
   * @param {readonly any[]} given all messages
   * @param {readonly any[]} sent in place of them; what is as it was is the same object
   * @returns {Record<string, unknown> | null} what is sent in another way than with the request before, by id; null: as it was
   */
  note(given, sent) {
    const own = new Set(given);
    const before = this.#sent;
    this.#sent = new Map();
    for (const message of sent) {
      const id = own.has(message) ? undefined : this.#form.idOf(message);
      if (id !== undefined) this.#sent.set(id, this.#form.bodyOf(message));
    }
    const ids = new Set([...before.keys(), ...this.#sent.keys()]);
    const changed = [...ids].filter((id) => !isSame(before.get(id), this.#sent.get(id)));
    if (changed.length === 0) return null;
    return Object.fromEntries(changed.map((id) => [id, this.#sent.get(id) ?? null]));
  }

  /** How much longer the messages are than what is sent in place of them, in characters as JSON. @param {readonly any[]} messages */
  leftOut(messages) {
    const lengthOf = (/** @type {unknown} */ body) => JSON.stringify(body ?? '').length;
    let length = 0;
    for (const message of messages) {
      const body = this.#sent.get(this.#form.idOf(message) ?? '');
      if (body !== undefined) length += lengthOf(this.#form.bodyOf(message)) - lengthOf(body);
    }
    return length;
  }

  /** Takes over what another process has noted. @param {Record<string, unknown>} changed */
  take(changed) {
    for (const [id, body] of Object.entries(changed)) {
      if (body === null) this.#sent.delete(id);
      else this.#sent.set(id, body);
    }
  }

  /**
   * What to send where nothing could be decided: what was replaced stays so, and all else is as it is.
   * @param {readonly any[]} messages
   * @returns {any[]}
   */
  goneOn(messages) {
    return messages.map((message) => {
      const body = this.#sent.get(this.#form.idOf(message) ?? '');
      return body === undefined ? message : this.#form.withBody(message, body);
    });
  }
}

/** @param {unknown} a @param {unknown} b */
function isSame(a, b) {
  return a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));
}

module.exports = { LastProjection };
