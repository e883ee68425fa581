// @ts-check
'use strict';

const { Conversations } = require('../conversations.js');
const { LastProjection } = require('../coding-agents/last-projection.js');
const { prepareRequest } = require('../coding-agents/request.js');
const { replaced, textOf } = require('../../messages/dialects/opencode-state.js');

/** opencode's estimate for tokens that no provider has counted. */
const CHARACTERS_PER_TOKEN = 4;

/** @type {import('../coding-agents/last-projection.js').Form} */
const RESULTS = {
  idOf: ({ id, type }) => (type === 'tool' ? id : undefined),
  bodyOf: ({ state }) => textOf(state),
  withBody: (part, text) => replaced(part, text, true),
};

/** @typedef {import('../../entry/opencode.js').OpencodeMessage} OpencodeMessage */

/** @param {number} characters @returns {number} tokens, by opencode's estimate */
const tokensIn = (characters) => Math.round(characters / CHARACTERS_PER_TOKEN);

/** @param {readonly OpencodeMessage[]} messages */
const partsOf = (messages) => messages.flatMap(({ parts }) => parts);

/** What is known of a session even if its view fails: the last request's replacements. */
class SessionState {
  /** @param {InstanceType<typeof import('./state-file.js').StateFile>} file */
  constructor(file) {
    this.file = file;
    this.lastProjection = new LastProjection(RESULTS);
    /** Requests sent while views failed; cleared when a view has recorded them. @type {OpencodeMessage[][]} */ this.undecided =
      [];
    this.lastProjection.applyChanges(file.sent());
  }

  /** Records a request during which the view failed. @param {readonly OpencodeMessage[]} messages @returns {OpencodeMessage[]} with the last request's replacements */
  applyLast(messages) {
    this.undecided.push([...messages]);
    return messages.map((message) => {
      const parts = this.lastProjection.applyTo(message.parts);
      return parts.some((part, at) => part !== message.parts[at]) ? { ...message, parts } : message;
    });
  }
}

/** A session of opencode, at the prices of one model. */
class Session {
  /** Tokens removed, by opencode's estimate; null before the first request. @type {number | null} */ #removedTokens =
    null;
  /** The newest request prepared by a view. @type {{ observe(usage: unknown): void } | null} */ #request = null;
  /** True while opencode waits for a response to the user's request. */ isAwaited = false;
  /** Tokens of the newest request: of the stored messages, and as sent. Both are 0 if opencode knows none. */ weight =
    { stored: 0, sent: 0 };

  /** @param {import('./models.js').Name} model @param {Record<string, unknown>} options of the views @param {InstanceType<typeof SessionState>} state */
  constructor(model, options, state) {
    this.model = model;
    this.state = state;
    this.conversations = new Conversations({ ...options, dialect: 'opencode', orphans: false });
  }

  get view() {
    return [...this.conversations.views].at(-1);
  }

  /** @param {readonly OpencodeMessage[]} messages @param {boolean} setsBreakpoints @returns {Promise<OpencodeMessage[]>} */
  async prepare(messages, setsBreakpoints) {
    this.#request = null;
    const agent = { undecided: this.state.undecided, setsBreakpoints };
    const request = await prepareRequest(this.conversations, messages, agent, { model: this.model.modelID });
    return this.#record(messages, request);
  }

  /** @param {readonly OpencodeMessage[]} messages @param {{ messages: OpencodeMessage[], observe(usage: unknown): void }} request */
  #record(messages, request) {
    const sent = request.messages;
    const { lastProjection, file } = this.state;
    const parts = partsOf(messages);
    const removedBefore = this.#removedTokens ?? tokensIn(lastProjection.removedLength(parts));
    this.#request = request;
    const changed = lastProjection.note(parts, partsOf(sent));
    if (changed !== null) file.noteSent(changed);
    if (changed !== null || this.#removedTokens === null)
      this.#removedTokens = tokensIn(lastProjection.removedLength(parts));
    const reported = reportedTokens(messages);
    const stored = reported + removedBefore;
    this.weight = reported === 0 ? { stored: 0, sent: 0 } : { stored, sent: stored - this.#removedTokens };
    return sent;
  }

  /** @param {unknown} usage of the newest request */
  observe(usage) {
    this.#request?.observe(usage);
  }
}

/**
 * The number of tokens that opencode compares with the context window: the newest response with its request, plus later messages; 0 if nothing was
 * reported, or directly after opencode's summary.
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

module.exports = { Session, SessionState, tokensIn };
