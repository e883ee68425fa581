// @ts-check
'use strict';

const { tokensIn } = require('./session.js');

/** Maximum wait for opencode to register our summary request. */
const MAX_WAIT_MS = 1_000;

/**
 * Makes opencode summarise when it would have without us. opencode compares the tokens sent with the context window, so with removals a session
 * would keep growing, and a prompt that stays long can cost more than the short one after a summary. We request opencode's own summary while it
 * waits for our hook at the end of a step, because it looks for work after each step.
 */
class Summaries {
  #client;
  /** Resolvers of waits for opencode to register a session's summary. @type {Map<string, () => void>} */ #registered =
    new Map();
  /** Sessions whose summary was requested and has not begun. @type {Set<string>} */ #requested = new Set();

  /** @param {import('../../entry/opencode.js').OpencodeClient} client */
  constructor(client) {
    this.#client = client;
  }

  /**
   * @param {string} sessionID
   * @param {InstanceType<typeof import('./session.js').Session>} session
   * @param {number | undefined} most tokens above which opencode summarises
   * @param {number} outputLength characters of the response so far
   */
  async request(sessionID, session, most, outputLength) {
    const { whole, sent } = session.weight;
    const answer = tokensIn(outputLength);
    const isDue = most !== undefined && whole > sent && whole + answer >= most;
    // opencode itself notices a request that fills the window.
    if (!session.isAwaited || !isDue || sent + answer >= most || this.#requested.has(sessionID)) return;
    this.#requested.add(sessionID);
    const noted = new Promise((resolve) => this.#registered.set(sessionID, () => resolve(undefined)));
    const { providerID, modelID } = session.model;
    const body = /** @type {any} */ ({ providerID, modelID, auto: true });
    // The response arrives when the session is idle, so nothing awaits it.
    const request = this.#client.session.summarize({ path: { id: sessionID }, body });
    const failed = Promise.resolve(request).then(({ error }) => {
      if (error !== undefined) throw new Error('opencode refused to summarise');
      return noted;
    });
    /** @type {NodeJS.Timeout | undefined} */ let timer;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, MAX_WAIT_MS);
    });
    try {
      await Promise.race([noted, late, failed]);
    } finally {
      clearTimeout(timer);
      this.#registered.delete(sessionID);
      failed.catch(() => {});
    }
  }

  /** opencode has registered the summary. @param {string} sessionID */
  onRegistered(sessionID) {
    this.#registered.get(sessionID)?.();
  }

  /** opencode starts to summarise. @param {string} sessionID */
  onStarted(sessionID) {
    this.#requested.delete(sessionID);
  }
}

module.exports = { Summaries };
