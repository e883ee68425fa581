// @ts-check
'use strict';

const { LastProjection, tokensIn, ViewedSession } = require('../coding-agents/session.js');
const { replaced, textOf } = require('../../messages/dialects/opencode.js');
const { fs, os, path } = require('../../node-modules.js');

/** @type {import('../coding-agents/session.js').Form} */ const RESULT_ACCESS = {
  idOf: ({ id, type }) => (type === 'tool' ? id : undefined),
  bodyOf: ({ state }) => textOf(state),
  withBody: (part, text) => replaced(part, text, /* removesAttachments */ true),
};

/** @typedef {import('../../entry/opencode.js').OpencodeMessage} OpencodeMessage */

/** @param {readonly OpencodeMessage[]} messages */
const partsOf = (messages) => messages.flatMap(({ parts }) => parts);

/** @param {string} folder @param {string} sessionId */
const stateFile = (folder, sessionId) => path.join(folder, `${encodeURIComponent(sessionId)}.jsonl`);

/**
 * What is known of a session even if its view fails: the replacements of its last request, in a file of ours because opencode has no place for them.
 * Each line has one request's changes: a text for each result that is now replaced by it, null for one that is sent whole again.
 */
class SessionState {
  #file;
  lastProjection = new LastProjection(RESULT_ACCESS);
  /** Undecided requests, sent while views failed; cleared when a view has recorded them. @type {OpencodeMessage[][]} */
  undecided = [];

  /** @param {string} folder @param {string} sessionId */
  constructor(folder, sessionId) {
    this.#file = stateFile(folder, sessionId);
    this.lastProjection.applyChanges(this.replacements());
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

  /** @param {string} folder @param {string} sessionId */
  static remove(folder, sessionId) {
    fs.rmSync(stateFile(folder, sessionId), { force: true });
  }

  /** Records a request during which the view failed. @param {readonly OpencodeMessage[]} messages @returns {OpencodeMessage[]} with the last request's replacements */
  applyLast(messages) {
    this.undecided.push([...messages]);
    return messages.map((message) => {
      const parts = this.lastProjection.applyTo(message.parts);
      return parts.some((part, index) => part !== message.parts[index]) ? { ...message, parts } : message;
    });
  }
}

/** A session of opencode, at the prices of one model. */
class Session extends ViewedSession {
  #state;
  /** True while opencode waits for a response to the user's request. */ isAwaited = false;
  /** Tokens of the newest request: of the stored messages, and as sent. Both are 0 if opencode knows none. */
  tokens = { stored: 0, sent: 0 };

  /** @param {string} key @param {import('./models.js').Name} model @param {Record<string, unknown>} options of the views @param {SessionState} state */
  constructor(key, model, options, state) {
    super(key, { ...options, dialect: 'opencode', orphans: false }, state.lastProjection, state.undecided);
    this.model = model;
    this.#state = state;
  }

  /** @param {readonly OpencodeMessage[]} storedMessages @param {{ messages: OpencodeMessage[], observe(usage: unknown): void }} request with the messages to send */
  recordSent(storedMessages, request) {
    const storedParts = partsOf(storedMessages);
    // The reported tokens are of the previous request, without what was removed from it.
    const removedBefore = this.removedTokens ?? this.lastProjection.removedTokens(storedParts);
    this.record(request, storedParts, partsOf(request.messages), (changes) => this.#state.append(changes));
    const reported = reportedTokens(storedMessages);
    const stored = reported + removedBefore;
    this.tokens = reported === 0 ? { stored: 0, sent: 0 } : { stored, sent: stored - (this.removedTokens ?? 0) };
  }
}

/**
 * The tokens that opencode compares with the context window: of the newest response, its request and later messages. 0
 * if none were reported, or directly after opencode's summary.
 * @param {readonly OpencodeMessage[]} messages
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
function stateFolder({ XDG_STATE_HOME: stateHome }) {
  return path.join(stateHome || path.join(os.homedir(), '.local', 'state'), 'opencode', 'palimpsest');
}

/** A truncated line is skipped. @param {string} line @returns {Record<string, unknown>} */
function changesIn(line) {
  try {
    const { sent } = JSON.parse(line);
    return typeof sent === 'object' && sent !== null && !Array.isArray(sent) ? sent : {};
  } catch {
    return {};
  }
}

module.exports = { Session, SessionState, stateFolder };
