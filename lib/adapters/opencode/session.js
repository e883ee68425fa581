// @ts-check
'use strict';

const { Conversations } = require('../conversations.js');
const { LastProjection } = require('../coding-agents/last-projection.js');
const { replaced, textOf } = require('../../messages/dialects/opencode-state.js');

/** Marks that opencode sets ahead of all messages: at the system prompt's two parts. */
const MARKS_AHEAD = 2;
const MARK = Object.freeze({ type: 'ephemeral' });
/** What opencode takes for a token where no provider has counted. */
const CHARACTERS_PER_TOKEN = 4;

/** How a tool's part is told and its result replaced. @type {import('../coding-agents/last-projection.js').Form} */
const RESULTS = {
  idOf: ({ id, type }) => (type === 'tool' ? id : undefined),
  bodyOf: ({ state }) => textOf(state),
  withBody: (part, text) => replaced(part, text, true),
};

/** @typedef {import('../../entry/opencode.js').OpencodeMessage} Message */

/** @param {number} characters */
const tokensIn = (characters) => Math.round(characters / CHARACTERS_PER_TOKEN);

/** @param {readonly Message[]} messages */
const partsOf = (messages) => messages.flatMap(({ parts }) => parts);

/** What is known of a session whatever else fails: its file, and what was sent last. */
class Kept {
  /** When a request was sent that no view has decided. @type {number | undefined} */ sentMs;

  /** @param {InstanceType<typeof import('./state-file.js').StateFile>} file */
  constructor(file) {
    this.file = file;
    this.last = new LastProjection(RESULTS);
    this.last.take(file.sent());
  }

  /** What goes out where nothing could be decided. @param {readonly Message[]} messages @returns {Message[]} */
  goneOn(messages) {
    this.sentMs = Date.now();
    return messages.map((message) => {
      const parts = this.last.goneOn(message.parts);
      return parts.some((part, at) => part !== message.parts[at]) ? { ...message, parts } : message;
    });
  }
}

/** One session of opencode's, by the prices of the model in use. */
class Session {
  /** Tokens that are not sent, as opencode estimates them; null before the first request. @type {number | null} */ #leftOut =
    null;
  /** The newest request, where a view has decided it. @type {{ observe(usage: unknown): void } | null} */ #request =
    null;
  /** Whether opencode waits for the answer to a request of the user's work. */
  isAwaited = false;
  /** What all messages of the newest request weigh, were nothing left out, and as they were sent. */
  weight = { whole: 0, sent: 0 };

  /**
   * @param {import('./models.js').Name} model
   * @param {Record<string, unknown>} options of the views
   * @param {InstanceType<typeof Kept>} kept
   */
  constructor(model, options, kept) {
    this.model = model;
    this.kept = kept;
    this.conversations = new Conversations({ ...options, dialect: 'opencode', orphans: false, store: kept.file });
  }

  get view() {
    return [...this.conversations.views].at(-1);
  }

  /** @param {readonly Message[]} messages all of the session @param {boolean} isMarked @returns {Promise<Message[]>} what is sent */
  async prepare(messages, isMarked) {
    this.#request = null;
    const last = messages.at(-1);
    // opencode marks the newest message for the provider's cache after this hook; cuts are priced by marks.
    const marked = isMarked && last !== undefined ? { ...last, cache_control: MARK } : last;
    const given = last === undefined ? messages : [...messages.slice(0, -1), marked];
    const around = { model: this.model.modelID, marks: isMarked ? MARKS_AHEAD : 0, sentMs: this.kept.sentMs };
    const request = await this.conversations.prepare(given, around);
    const sent = request.messages.map((/** @type {any} */ message) => (message === marked ? last : message));
    return this.#taken(messages, sent, request);
  }

  /** @param {readonly Message[]} messages @param {Message[]} sent @param {{ observe(usage: unknown): void }} request */
  #taken(messages, sent, request) {
    const { last, file } = this.kept;
    const before = this.#leftOut ?? tokensIn(last.leftOut(partsOf(messages)));
    this.#request = request;
    this.kept.sentMs = undefined;
    const changed = last.note(partsOf(messages), partsOf(sent));
    if (changed !== null) file.noteSent(changed);
    if (changed !== null || this.#leftOut === null) this.#leftOut = tokensIn(last.leftOut(partsOf(messages)));
    const whole = reportedOf(messages) + before;
    this.weight = whole === before ? { whole: 0, sent: 0 } : { whole, sent: whole - this.#leftOut };
    return sent;
  }

  /** @param {unknown} usage of the newest request */
  observe(usage) {
    this.#request?.observe(usage);
  }
}

/**
 * The tokens of the newest answer's request with the answer, as opencode compares them with the window, and of what came since; 0 where
 * nothing was reported, or opencode has just summarised.
 * @param {readonly Message[]} messages
 */
function reportedOf(messages) {
  const at = messages.findLastIndex(({ info }) => info.role === 'assistant' && info.finish !== undefined);
  const { info, parts } = messages[at] ?? {};
  if (info === undefined || info.summary === true) return 0;
  const { total, input = 0, output = 0, cache } = info.tokens ?? {};
  const tokens = total || input + output + (cache?.read ?? 0) + (cache?.write ?? 0);
  const results = (parts ?? []).map(({ state }) => state?.output ?? state?.error ?? '');
  const later = partsOf(messages.slice(at + 1)).map(({ text }) => text ?? '');
  return tokens > 0 ? tokens + tokensIn([...results, ...later].join('').length) : 0;
}

module.exports = { Kept, Session, tokensIn };
