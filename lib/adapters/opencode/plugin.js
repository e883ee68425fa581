// @ts-check
'use strict';

const { reasonOf } = require('../coding-agents/session.js');
const { readSettings } = require('../coding-agents/settings.js');
const { Models } = require('./models.js');
const { Session, SessionState, stateFolder } = require('./session.js');
const { Summaries } = require('./summaries.js');

const NAME = 'palimpsest';
/** Minimum time between two status messages. */ const STATUS_INTERVAL_MS = 5 * 60_000;
/** How long a message is shown. */ const MESSAGE_DURATION_MS = 8_000;

/**
 * @typedef {import('../../entry/opencode.js').OpencodeInput} Input
 * @typedef {import('../../entry/opencode.js').OpencodeMessage} OpencodeMessage
 * @typedef {import('../../entry/opencode.js').OpencodeEvent} Event
 * @typedef {import('./models.js').Name} Name
 */

/**
 * A plug-in for opencode: each request is sent as a view of its session projects it; opencode's stored messages are not
 * written to. State is kept in our own files, so a session continued in another process sends the same bytes.
 */
class Plugin {
  #client;
  #settings;
  #folder;
  #models;
  #summaries;
  /** opencode's configuration. @type {import('./models.js').Config | null} */ #config = null;
  /** Keyed by session id. @type {Map<string, InstanceType<typeof Session>>} */ #sessions = new Map();
  /** Keyed by session id. @type {Map<string, InstanceType<typeof SessionState>>} */ #states = new Map();
  /** Sessions that opencode is about to summarise: their next messages are sent unchanged. @type {Set<string>} */ #compacting =
    new Set();
  #statusShownMs = Number.NEGATIVE_INFINITY;
  #hasFailed = false;

  /** @param {Input} input @param {import('../coding-agents/settings.js').Settings} settings @param {NodeJS.ProcessEnv} environment */
  constructor({ client }, settings, environment) {
    this.#client = client;
    this.#settings = settings;
    this.#folder = stateFolder(environment);
    this.#models = new Models(client, environment);
    this.#summaries = new Summaries(client);
  }

  /** @returns {import('../../entry/opencode.js').OpencodeHooks} */
  get hooks() {
    const guarded = (/** @type {(...args: any[]) => Promise<void>} */ hook) => this.#guarded(hook);
    return {
      config: guarded(async (config) => this.#onConfig(config)),
      event: guarded(async ({ event }) => this.#onEvent(event)),
      'chat.message': guarded(() => this.#models.load()),
      'command.execute.before': (command) => this.#onCommand(command),
      'experimental.session.compacting': guarded(async ({ sessionID }) => this.#onCompaction(sessionID)),
      'experimental.chat.messages.transform': guarded((_, { messages }) => this.#send(messages)),
      'experimental.text.complete': guarded(({ sessionID }, { text }) => this.#onStepEnd(sessionID, text.length)),
      'tool.execute.before': guarded(({ sessionID }, { args }) =>
        this.#onStepEnd(sessionID, JSON.stringify(args ?? '').length),
      ),
    };
  }

  /** Reports a hook's error instead of throwing it, because that would end opencode's run. @param {(...args: any[]) => Promise<void>} hook */
  #guarded(hook) {
    return async (/** @type {any[]} */ ...args) => {
      try {
        await hook(...args);
      } catch (error) {
        this.#say(`palimpsest failed, and opencode goes on without it: ${reasonOf(error)}`, 'warning');
      }
    };
  }

  /** @param {OpencodeMessage[]} messages changed in place, because opencode sends this array */
  async #send(messages) {
    const sessionID = messages[0]?.info.sessionID;
    if (sessionID === undefined) return this.#compacting.clear();
    if (this.#compacting.delete(sessionID)) return;
    const stored = [...messages];
    const state = this.#states.get(sessionID) ?? new SessionState(this.#folder, sessionID);
    this.#states.set(sessionID, state);
    try {
      const session = this.#sessionFor(sessionID, modelOf(stored), state);
      const { model } = session;
      session.isAwaited = true;
      const request = await session.prepare(stored, this.#models.setsBreakpoints(model), { model: model.modelID });
      session.recordSent(stored, request);
      replaceAll(messages, request.messages);
    } catch (error) {
      replaceAll(messages, state.applyLast(stored));
      throw error;
    }
  }

  /** The session at the model's prices. @param {string} sessionID @param {Name} model @param {InstanceType<typeof SessionState>} state */
  #sessionFor(sessionID, model, state) {
    const price = this.#settings.price ?? this.#models.priceOf(model);
    const key = JSON.stringify([model, price]);
    const current = this.#sessions.get(sessionID);
    if (current?.key === key) return current;
    const session = new Session(key, model, { ...this.#settings.view, price, conversationId: sessionID }, state);
    this.#sessions.set(sessionID, session);
    return session;
  }

  /** Decides whether opencode should summarise, while it waits for this hook. @param {string} sessionID @param {number} outputLength characters */
  async #onStepEnd(sessionID, outputLength) {
    const session = this.#sessions.get(sessionID);
    if (session === undefined || this.#settings.compactLater) return;
    const limit = this.#models.compactionLimit(session.model, this.#config);
    await this.#summaries.requestIfDue(sessionID, session, limit, outputLength);
  }

  /** @param {string} sessionID */
  #onCompaction(sessionID) {
    this.#compacting.add(sessionID);
    this.#summaries.onStarted(sessionID);
    const session = this.#sessions.get(sessionID);
    if (session !== undefined) session.isAwaited = false;
  }

  /** @param {Event} event */
  #onEvent({ type, properties }) {
    if (type === 'message.updated') {
      const { role, sessionID, finish, summary, tokens } = properties.info;
      if (role === 'assistant' && finish !== undefined && summary !== true)
        this.#sessions.get(sessionID)?.observe(tokens);
    } else if (type === 'message.part.updated') {
      if (properties.part.type === 'compaction') this.#summaries.onRegistered(properties.part.sessionID);
    } else if (type === 'session.idle') this.#onIdle(properties.sessionID);
    else if (type === 'session.deleted') {
      this.#sessions.delete(properties.info.id);
      this.#states.delete(properties.info.id);
      SessionState.remove(this.#folder, properties.info.id);
    }
  }

  /** @param {string} sessionID */
  #onIdle(sessionID) {
    const session = this.#sessions.get(sessionID);
    if (session === undefined) return;
    session.isAwaited = false;
    const now = Date.now();
    if (!this.#settings.showStatus || now - this.#statusShownMs < STATUS_INTERVAL_MS) return;
    this.#statusShownMs = now;
    const text = this.#textOf('statusText', sessionID);
    if (text !== undefined) this.#say(text, 'info');
  }

  /** Undefined before the session's first request. @param {'statusText' | 'summaryText'} name @param {string} sessionID */
  #textOf(name, sessionID) {
    const session = this.#sessions.get(sessionID);
    const price = this.#settings.price ?? (session && this.#models.priceOf(session.model));
    return session?.[name](this.#models.entryOf(session.model), price);
  }

  /** @param {import('./models.js').Config} config plug-ins may add to it */
  #onConfig(config) {
    this.#config = config;
    config.command ??= {};
    const description = 'What palimpsest leaves out of requests, and what it saved';
    config.command[NAME] ??= { description, template: ' ' };
  }

  /**
   * Shows its text and throws: a command is a prompt, which would otherwise cost a request. opencode writes the error to its log.
   * @param {{ command: string, sessionID: string }} call
   */
  async #onCommand({ command, sessionID }) {
    if (command !== NAME) return;
    const text = this.#textOf('summaryText', sessionID);
    this.#say(text ?? 'palimpsest: no request of this session was sent since opencode was started.', 'info');
    throw new Error('palimpsest has shown what was asked for; nothing is sent');
  }

  /** Shows a message; failures only once. @param {string} message @param {'info' | 'warning' | 'error'} variant */
  #say(message, variant) {
    if (variant === 'warning' && this.#hasFailed) return;
    this.#hasFailed ||= variant === 'warning';
    say(this.#client, message, variant);
  }
}

/** @param {Input['client']} client @param {string} message @param {'info' | 'warning' | 'error'} variant */
function say(client, message, variant) {
  Promise.resolve(client.tui.showToast({ body: { message, variant, duration: MESSAGE_DURATION_MS } })).catch(() => {});
}

/** The model named by the newest user message. @param {readonly OpencodeMessage[]} messages @returns {Name} */
function modelOf(messages) {
  const { model } = messages.findLast(({ info }) => info.role === 'user')?.info ?? {};
  return { providerID: model?.providerID ?? '', modelID: model?.modelID ?? '' };
}

/** Replaces the elements of opencode's array. @param {OpencodeMessage[]} messages @param {readonly OpencodeMessage[]} sent */
function replaceAll(messages, sent) {
  messages.length = 0;
  for (const message of sent) messages.push(message);
}

/**
 * @param {Input} input @param {Record<string, unknown>} [options] the user's settings
 * @param {NodeJS.ProcessEnv} [environment] @returns {Promise<import('../../entry/opencode.js').OpencodeHooks>}
 */
async function palimpsest(input, options, environment = process.env) {
  let settings;
  try {
    settings = readSettings('settings of opencode-palimpsest', options ?? {}, environment);
  } catch (error) {
    const text = `palimpsest is off, since its settings can't be read: ${reasonOf(error)}`;
    let isShown = false;
    return {
      // Shown at the start of a session, because it would not be visible before.
      event: async ({ event }) => {
        if (isShown || event.type !== 'session.status') return;
        isShown = true;
        say(input.client, text, 'error');
      },
    };
  }
  return settings.enabled ? new Plugin(input, settings, environment).hooks : {};
}

module.exports = { palimpsest };
