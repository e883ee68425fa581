// @ts-check
'use strict';

const { tokensIn, withTimeout } = require('../coding-agents/session.js');

/** Maximum wait for opencode to register our summary request. */ const MAX_WAIT_MS = 1_000;

/**
 * Has opencode summarise a session when it would have without this plug-in. opencode compares the tokens sent with the context window, so with
 * removals a session would keep growing, and a prompt that stays long can cost more than the short one after a summary. opencode's own summary is
 * requested at the end of a step, while opencode waits for our hook, because it looks for work after each step.
 */
class Summaries {
  #client;
  /** Resolvers of waits for opencode to register a session's summary. @type {Map<string, (value?: any) => void>} */ #registered =
    new Map();
  /** Sessions whose summary was requested and has not begun. @type {Set<string>} */ #requested = new Set();

  /** @param {import('../../entry/opencode.js').OpencodeClient} client */
  constructor(client) {
    this.#client = client;
  }

  /**
   * @param {string} sessionID @param {InstanceType<typeof import('./session.js').Session>} session
   * @param {number | undefined} limit tokens from which opencode summarises; undefined if it never does
   * @param {number} outputLength characters of the response so far
   */
  async requestIfDue(sessionID, session, limit, outputLength) {
    const { stored, sent } = session.tokens;
    const outputTokens = tokensIn(outputLength);
    const isDue = limit !== undefined && stored > sent && stored + outputTokens >= limit;
    // opencode itself notices a request that fills the window.
    if (!session.isAwaited || !isDue || sent + outputTokens >= limit || this.#requested.has(sessionID)) return;
    this.#requested.add(sessionID);
    const registered = new Promise((resolve) => this.#registered.set(sessionID, resolve));
    const { providerID, modelID } = session.model;
    const body = /** @type {any} */ ({ providerID, modelID, auto: true });
    // The response arrives when the session is idle, so nothing awaits it.
    const request = this.#client.session.summarize({ path: { id: sessionID }, body });
    const failed = Promise.resolve(request).then(({ error }) => {
      if (error !== undefined) throw new Error('opencode refused to summarise');
      return registered;
    });
    try {
      await withTimeout(Promise.race([registered, failed]), MAX_WAIT_MS, () => {});
    } finally {
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
