// @ts-check
'use strict';

const { tokensIn } = require('./session.js');

/** Longer than that opencode does not wait for its own request to be noted. */
const MOST_WAIT_MS = 1_000;

/**
 * Has opencode summarise when it would have without us. It compares with the window what a provider has counted, and that is what was
 * sent: a session would grow on where it would have been summarised, and a prompt that stays long can cost more than the short one
 * behind a summary. So we ask for opencode's own summary, in the step in which it would have decided on it, and while it waits for us:
 * opencode looks at what there is to do behind each step.
 */
class Summaries {
  #client;
  /** By session, who waits until opencode has noted the summary. @type {Map<string, () => void>} */ #waiting =
    new Map();
  /** Sessions for which a summary was asked for, and has not begun. @type {Set<string>} */ #asked = new Set();

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
    // Where what is sent fills the window, opencode sees that itself.
    if (!session.isAwaited || !isDue || sent + answer >= most || this.#asked.has(sessionID)) return;
    this.#asked.add(sessionID);
    const noted = new Promise((resolve) => this.#waiting.set(sessionID, () => resolve(undefined)));
    const { providerID, modelID } = session.model;
    const body = /** @type {any} */ ({ providerID, modelID, auto: true });
    // Its answer comes with the end of all that the session does: it is not waited for.
    const request = this.#client.session.summarize({ path: { id: sessionID }, body });
    const failed = new Promise((_, reject) => {
      Promise.resolve(request).then(
        ({ error }) => {
          if (error !== undefined) reject(new Error('opencode refused to summarise'));
        },
        (error) => reject(error),
      );
    });
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
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

  /** Takes in that a summary of the session is to be made. @param {string} sessionID */
  noted(sessionID) {
    this.#waiting.get(sessionID)?.();
  }

  /** Takes in that a summary is being made. @param {string} sessionID */
  begun(sessionID) {
    this.#asked.delete(sessionID);
  }
}

module.exports = { Summaries };
