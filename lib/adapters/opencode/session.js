// @ts-check
'use strict';

const { LastProjection, tokensIn, ViewedSession, withTimeout } = require('../coding-agents/session.js');
const { replaced, textOf } = require('../../messages/dialects/opencode.js');
const { fs, os, path } = require('../../node-modules.js');
const { isObject, safely } = require('../../plain-data.js');

/** @type {import('../coding-agents/session.js').Form} */ const RESULT_ACCESS = {
  idOf: ({ id, type }) => (type === 'tool' ? id : undefined),
  bodyOf: ({ state }) => textOf(state),
  withBody: (part, text) => replaced(part, text, /* removesAttachments */ true),
};

/** @typedef {import('../../entry/opencode.js').OpencodeMessage} OpencodeMessage */
/** @typedef {import('./models.js').Name} Name */

/** Maximum wait for opencode to register our summary request. */ const MAX_WAIT_MS = 1_000;
const NO_TOKENS = { stored: 0, sent: 0 };

/** @param {readonly OpencodeMessage[]} messages */
const partsOf = (messages) => messages.flatMap(({ parts }) => parts);

/** @param {string} folder @param {string} id of the session */
const fileOf = (folder, id) => path.join(folder, `${encodeURIComponent(id)}.jsonl`);

/**
 * A session of opencode. The replacements of its last request are in a file of ours, because opencode has no place for them. Each line has one
 * request's changes: a text for each result that is now replaced by it, null for one that is sent whole again.
 */
class Session {
  #id;
  #file;
  #lastProjection = new LastProjection(RESULT_ACCESS);
  /** Undecided requests, until a view has recorded them. @type {OpencodeMessage[][]} */ #undecided = [];
  /** True from our request for a summary until opencode begins it. */ #isSummaryRequested = false;
  /** True while opencode waits for a response to the user's request. */ isAwaited = false;
  /** Called when our summary request is registered. @type {(value?: any) => void} */ onSummaryRegistered = () => {};
  /** At the prices of `model`; null before the first request. @type {InstanceType<typeof ViewedSession> | null} */
  viewed = null;
  /** The newest request's. @type {Name} */ model = { providerID: '', modelID: '' };
  /** Tokens of the newest request, stored and as sent. Both are 0 if opencode knows none. */ #tokens = NO_TOKENS;

  /** @param {string} folder @param {string} id */
  constructor(folder, id) {
    this.#id = id;
    this.#file = fileOf(folder, id);
    this.#lastProjection.applyChanges(this.replacements());
  }

  /**
   * The messages to send. @param {readonly OpencodeMessage[]} stored messages @param {Name} model
   * @param {Record<string, unknown>} options of the views, with the model's prices @param {boolean} setsBreakpoints as opencode does for the model
   * @returns {Promise<OpencodeMessage[]>}
   */
  async send(stored, model, options, setsBreakpoints) {
    const key = JSON.stringify([model, options.price]);
    if (this.viewed?.key !== key) {
      const viewOptions = { ...options, conversationId: this.#id, dialect: 'opencode', orphans: false };
      this.viewed = new ViewedSession(key, viewOptions, this.#lastProjection, this.#undecided);
      [this.model, this.#tokens] = [model, NO_TOKENS];
    }
    this.isAwaited = true;
    const { viewed } = this;
    const request = await viewed.prepare(stored, setsBreakpoints, { model: model.modelID });
    const storedParts = partsOf(stored);
    // The reported tokens are of the previous request, without what was removed from it.
    const removedBefore = viewed.removedTokens ?? this.#lastProjection.removedTokens(storedParts);
    viewed.record(request, storedParts, partsOf(request.messages), (changes) => this.append(changes));
    const reported = reportedTokens(stored);
    const tokens = reported + removedBefore;
    this.#tokens = reported === 0 ? NO_TOKENS : { stored: tokens, sent: tokens - (viewed.removedTokens ?? 0) };
    return request.messages;
  }

  /** For a request during which the view failed: the messages with the last request's replacements. @param {readonly OpencodeMessage[]} messages */
  sendLast(messages) {
    this.#undecided.push([...messages]);
    return messages.map((message) => {
      const parts = this.#lastProjection.applyTo(message.parts);
      return parts.some((part, index) => part !== message.parts[index]) ? { ...message, parts } : message;
    });
  }

  /**
   * Has opencode summarise when it would have without this plug-in. opencode compares the tokens sent with the context window, so with
   * removals a session would keep growing, and a prompt that stays long can cost more than the short one after a summary. opencode's own summary is
   * requested at the end of a step, while opencode waits for our hook, because it looks for work after each step.
   * @param {import('../../entry/opencode.js').OpencodeClient} client @param {number} outputLength characters of the response so far
   * @param {number | undefined} limit tokens from which opencode summarises; undefined if it never does
   */
  async requestSummaryIfDue(client, outputLength, limit) {
    const { stored, sent } = this.#tokens;
    const outputTokens = tokensIn(outputLength);
    const isDue = limit !== undefined && stored > sent && stored + outputTokens >= limit;
    // opencode itself notices a request that fills the window.
    if (!this.isAwaited || !isDue || sent + outputTokens >= limit || this.#isSummaryRequested) return;
    this.#isSummaryRequested = true;
    const registered = new Promise((resolve) => {
      this.onSummaryRegistered = resolve;
    });
    const body = /** @type {any} */ ({ ...this.model, auto: true });
    // The response arrives when the session is idle, so nothing awaits it.
    const request = client.session.summarize({ path: { id: this.#id }, body });
    const registeredOrRefused = Promise.resolve(request).then(({ error }) => {
      if (error !== undefined) throw new Error('opencode refused to summarise');
      return registered;
    });
    await withTimeout(Promise.race([registered, registeredOrRefused]), MAX_WAIT_MS, () => {});
  }

  onSummaryStarted() {
    this.isAwaited = false;
    this.#isSummaryRequested = false;
  }

  /** The texts that replace results, keyed by result id. @returns {Record<string, unknown>} */
  replacements() {
    if (fs.statSync(this.#file, { throwIfNoEntry: false })?.isFile() !== true) return {};
    const all = Object.assign({}, ...fs.readFileSync(this.#file, 'utf8').split('\n').map(changesIn));
    return Object.fromEntries(Object.entries(all).filter(([, text]) => text !== null));
  }

  /** @param {Record<string, unknown>} changes */
  append(changes) {
    // Writing to a pipe would block.
    if (fs.statSync(this.#file, { throwIfNoEntry: false })?.isFile() === false) return;
    fs.mkdirSync(path.dirname(this.#file), { recursive: true });
    fs.appendFileSync(this.#file, `${JSON.stringify({ sent: changes })}\n`, { mode: 0o600 });
  }

  /** @param {string} folder @param {string} id */
  static removeFile(folder, id) {
    fs.rmSync(fileOf(folder, id), { force: true });
  }
}

/**
 * The tokens that opencode compares with the context window: of the newest response, its request and later messages. 0 if none were reported, or
 * directly after opencode's summary. @param {readonly OpencodeMessage[]} messages
 */
function reportedTokens(messages) {
  const newest = messages.findLastIndex(({ info }) => info.role === 'assistant' && info.finish !== undefined);
  const { info, parts } = messages[newest] ?? {};
  if (info === undefined || info.summary === true) return 0;
  const { total, input = 0, output = 0, cache } = info.tokens ?? {};
  const tokens = total || input + output + (cache?.read ?? 0) + (cache?.write ?? 0);
  const results = (parts ?? []).map(({ state }) => state?.output ?? state?.error ?? '');
  const later = partsOf(messages.slice(newest + 1)).map(({ text }) => text ?? '');
  return tokens > 0 ? tokens + tokensIn([...results, ...later].join('').length) : 0;
}

/** The folder of the sessions' files. @param {NodeJS.ProcessEnv} environment */
const stateFolder = ({ XDG_STATE_HOME: stateHome }) =>
  path.join(stateHome || path.join(os.homedir(), '.local', 'state'), 'opencode', 'palimpsest');

/** A truncated line is skipped. @param {string} line @returns {Record<string, unknown>} */
function changesIn(line) {
  const sent = safely(() => JSON.parse(line).sent);
  return isObject(sent) && !Array.isArray(sent) ? sent : {};
}

module.exports = { Session, stateFolder };
