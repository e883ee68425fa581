// @ts-check
'use strict';

/**
 * @typedef {object} Form of an agent's messages, or of their parts
 * @property {(message: any) => string | undefined} idOf undefined if it is never replaced
 * @property {(message: any) => unknown} bodyOf the part that is replaced
 * @property {(message: any, body: any) => any} withBody a copy
 */

/**
 * The replacements in the last request, for an agent that continues if we fail. Sending the stored history instead would lose the prompt cache
 * twice: with the failed request and with the next one. Holds only ids and bodies, so it works even if a view fails.
 */
class LastProjection {
  #form;
  /** Replacement bodies by message id. @type {Map<string, unknown>} */ #sent = new Map();

  /** @param {Form} form */
  constructor(form) {
    this.#form = form;
  }

  /**
   * Records a request. O(messages).
   * @param {readonly any[]} messages all messages
   * @param {readonly any[]} sent unchanged ones are the same objects
   * @returns {Record<string, unknown> | null} bodies that differ from the last request's, by id; null as a body: sent as it is
   */
  note(messages, sent) {
    const unchanged = new Set(messages);
    const before = this.#sent;
    this.#sent = new Map();
    for (const message of sent) {
      const id = unchanged.has(message) ? undefined : this.#form.idOf(message);
      if (id !== undefined) this.#sent.set(id, this.#form.bodyOf(message));
    }
    const ids = new Set([...before.keys(), ...this.#sent.keys()]);
    const changed = [...ids].filter((id) => !isSame(before.get(id), this.#sent.get(id)));
    if (changed.length === 0) return null;
    return Object.fromEntries(changed.map((id) => [id, this.#sent.get(id) ?? null]));
  }

  /** By how many characters of JSON the messages are longer than what is sent. @param {readonly any[]} messages */
  removedLength(messages) {
    const lengthOf = (/** @type {unknown} */ body) => JSON.stringify(body ?? '').length;
    let length = 0;
    for (const message of messages) {
      const body = this.#sent.get(this.#form.idOf(message) ?? '');
      if (body !== undefined) length += lengthOf(this.#form.bodyOf(message)) - lengthOf(body);
    }
    return length;
  }

  /** @param {Record<string, unknown>} changed the changes that another process recorded */
  applyChanges(changed) {
    for (const [id, body] of Object.entries(changed)) {
      if (body === null) this.#sent.delete(id);
      else this.#sent.set(id, body);
    }
  }

  /** Applies the last replacements, for a request about which nothing could be decided. @param {readonly any[]} messages @returns {any[]} */
  applyTo(messages) {
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
