// @ts-check
'use strict';

const { tokensIn } = require('./session.js');

/** opencode doesn't wait longer for its own request to be noted. */
const MOST_WAIT_MS = 1_000;

/**
 * Has opencode summarise when it would have without us. It compares the window with the tokens that were sent, so a session would
 * grow on, and a prompt that stays long can cost more than the short one behind a summary. We ask for opencode's own summary while
 * it waits for us, at the end of a step: it looks for work behind each step.
 */
class Summaries {
  #client;
  /** Wakes who waits until opencode has noted a session's summary. @type {Map<string, () => void>} */ #waiting =
    new Map();
  /** Sessions whose summary was asked for, and has not begun. @type {Set<string>} */ #asked = new Set();

  /** @param {import('../../entry/opencode.js').OpencodeClient} client */
  constructor(client) {
    this.#client = client;
  }

  /**
   * @param {string} sessionID
   * @param {InstanceType<typeof import('./session.js').Session>} session
   * @param {number | undefined} most tokens before opencode summarises
   * @param {number} answered characters of the answer so far
   */
  async ask(sessionID, session, most, answered) {
    const { whole, sent } = session.weight;
    const answer = tokensIn(answered);
    const isDue = most !== undefined && whole > sent && whole + answer >= most;
    // opencode itself sees a request that fills the window.
    if (!session.isAwaited || !isDue || sent + answer >= most || this.#asked.has(sessionID)) return;
    this.#asked.add(sessionID);
    const noted = new Promise((resolve) => this.#waiting.set(sessionID, () => resolve(undefined)));
    const { providerID, modelID } = session.model;
    const body = /** @type {any} */ ({ providerID, modelID, auto: true });
    // It is answered when the session has nothing left to do, so nobody waits for the answer.
    const request = this.#client.session.summarize({ path: { id: sessionID }, body });
    const failed = new Promise((_, reject) => {
      Promise.resolve(request).then(
        ({ error }) => {
          if (error !== undefined) reject(new Error('opencode refused to summarise'));
        },
        (error) => reject(error),
      );
    });
    /** @type {NodeJS.Timeout | undefined} */ let timer;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, MOST_WAIT_MS);
    });
    try {
      await Promise.race([noted, late, failed]);
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(sessionID);
      failed.catch(() => {});
    }
  }

  /** opencode will summarise. @param {string} sessionID */
  noted(sessionID) {
    this.#waiting.get(sessionID)?.();
  }

  /** opencode summarises now. @param {string} sessionID */
  begun(sessionID) {
    this.#asked.delete(sessionID);
  }
}

module.exports = { Summaries };
