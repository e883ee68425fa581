// @ts-check
'use strict';

/**
 * @typedef {object} Form how an agent's messages (or their parts) hold the *body* that a view replaces
 * @property {(message: any) => string | undefined} idOf undefined if it is never replaced
 * @property {(message: any) => unknown} bodyOf
 * @property {(message: any, body: any) => any} withBody a copy with another body
 */

/**
 * The replacements in the last request, so that an agent can send them again if a view fails. Sending the stored history instead would lose the
 * prompt cache twice: with that request and with the next one. Holds only ids and bodies.
 */
class LastProjection {
  #form;
  /** Replacement bodies, keyed by message id. @type {Map<string, unknown>} */ #bodies = new Map();

  /** @param {Form} form */
  constructor(form) {
    this.#form = form;
  }

  /**
   * Records a request. O(messages).
   * @param {readonly any[]} messages all messages
   * @param {readonly any[]} sent unchanged ones are the same objects
   * @returns {Record<string, unknown> | null} replacement bodies that differ from the last request's, keyed by id; a body that is no longer replaced
   *   is null. Null if none differs.
   */
  note(messages, sent) {
    const stored = new Set(messages);
    const before = this.#bodies;
    this.#bodies = new Map();
    for (const message of sent) {
      const id = stored.has(message) ? undefined : this.#form.idOf(message);
      if (id !== undefined) this.#bodies.set(id, this.#form.bodyOf(message));
    }
    const ids = new Set([...before.keys(), ...this.#bodies.keys()]);
    const changed = [...ids].filter((id) => !isSame(before.get(id), this.#bodies.get(id)));
    if (changed.length === 0) return null;
    return Object.fromEntries(changed.map((id) => [id, this.#bodies.get(id) ?? null]));
  }

  /** How many characters of JSON the replacements save. @param {readonly any[]} messages */
  removedLength(messages) {
    const lengthOf = (/** @type {unknown} */ body) => JSON.stringify(body ?? '').length;
    let length = 0;
    for (const message of messages) {
      const body = this.#bodies.get(this.#form.idOf(message) ?? '');
      if (body !== undefined) length += lengthOf(this.#form.bodyOf(message)) - lengthOf(body);
    }
    return length;
  }

  /** @param {Record<string, unknown>} changed what `note` returned, in this or another process */
  applyChanges(changed) {
    for (const [id, body] of Object.entries(changed)) {
      if (body === null) this.#bodies.delete(id);
      else this.#bodies.set(id, body);
    }
  }

  /** The messages with the last request's replacements, for a request during which a view failed. @param {readonly any[]} messages @returns {any[]} */
  applyTo(messages) {
    return messages.map((message) => {
      const body = this.#bodies.get(this.#form.idOf(message) ?? '');
      return body === undefined ? message : this.#form.withBody(message, body);
    });
  }
}

/** @param {unknown} a @param {unknown} b */
function isSame(a, b) {
  return a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));
}

module.exports = { LastProjection };
