// @ts-check
'use strict';

const { reasonOf } = require('../coding-agents/session.js');
const { readSettings } = require('../coding-agents/settings.js');
const { Models } = require('./models.js');
const { Session, stateFolder } = require('./session.js');

const NAME = 'palimpsest';
const DESCRIPTION = 'What palimpsest leaves out of requests, and what it saved';
/** Minimum time between two status messages. */ const STATUS_INTERVAL_MS = 5 * 60_000;
/** How long a message is shown. */ const MESSAGE_DURATION_MS = 8_000;

/** @typedef {import('../../entry/opencode.js').OpencodeInput} Input */
/** @typedef {import('../../entry/opencode.js').OpencodeHooks} Hooks */
/** @typedef {import('../../entry/opencode.js').OpencodeMessage} OpencodeMessage */
/** @typedef {import('../../entry/opencode.js').OpencodeEvent} Event */
/** @typedef {import('./models.js').Name} Name */

/**
 * A plug-in for opencode: each request is sent as a view of its session projects it; opencode's stored messages are not
 * written to. State is kept in our own files, so a session continued in another process sends the same bytes.
 */
class Plugin {
  #client;
  #settings;
  #folder;
  #models;
  /** opencode's configuration. @type {import('./models.js').Config | null} */ #config = null;
  /** Keyed by session id. @type {Map<string, InstanceType<typeof Session>>} */ #sessions = new Map();
  /** Sessions that opencode summarises next, from unchanged messages. @type {Set<string>} */ #compacting = new Set();
  #statusShownMs = Number.NEGATIVE_INFINITY;
  #hasFailed = false;

  /** @param {Input} input @param {import('../coding-agents/settings.js').Settings} settings @param {NodeJS.ProcessEnv} environment */
  constructor({ client }, settings, environment) {
    this.#client = client;
    this.#settings = settings;
    this.#folder = stateFolder(environment);
    this.#models = new Models(client, environment);
  }

  /** @returns {Hooks} */
  get hooks() {
    const guarded = (/** @type {(...args: any[]) => Promise<void>} */ hook) => this.#guarded(hook);
    return {
      // opencode takes what plug-ins add to its configuration.
      config: guarded(async (config) => {
        this.#config = config;
        config.command ??= {};
        config.command[NAME] ??= { description: DESCRIPTION, template: ' ' };
      }),
      event: guarded(async ({ event }) => this.#onEvent(event)),
      'chat.message': guarded(() => this.#models.load()),
      'command.execute.before': (command) => this.#onCommand(command),
      'experimental.session.compacting': guarded(async ({ sessionID }) => {
        this.#compacting.add(sessionID);
        this.#sessions.get(sessionID)?.onSummaryStarted();
      }),
      'experimental.chat.messages.transform': guarded((_, { messages }) => this.#send(messages)),
      'experimental.text.complete': guarded(({ sessionID }, { text }) => this.#onStepEnd(sessionID, text.length)),
      'tool.execute.before': guarded(({ sessionID }, { args }) =>
        this.#onStepEnd(sessionID, JSON.stringify(args ?? '').length),
      ),
    };
  }

  /** Shows the first error of a hook; one that is thrown would end opencode's run. @param {(...args: any[]) => Promise<void>} hook */
  #guarded(hook) {
    return async (/** @type {any[]} */ ...args) => {
      try {
        await hook(...args);
      } catch (error) {
        if (this.#hasFailed) return;
        this.#hasFailed = true;
        say(this.#client, `palimpsest failed, and opencode goes on without it: ${reasonOf(error)}`, 'warning');
      }
    };
  }

  /** @param {OpencodeMessage[]} messages changed in place, because opencode sends this array */
  async #send(messages) {
    const sessionID = messages[0]?.info.sessionID;
    if (sessionID === undefined) return this.#compacting.clear();
    if (this.#compacting.delete(sessionID)) return;
    const stored = [...messages];
    const session = this.#sessions.get(sessionID) ?? new Session(this.#folder, sessionID);
    this.#sessions.set(sessionID, session);
    try {
      const { model: named } = stored.findLast(({ info }) => info.role === 'user')?.info ?? {};
      const model = { providerID: named?.providerID ?? '', modelID: named?.modelID ?? '' };
      const options = { ...this.#settings.view, price: this.#priceOf(model) };
      replaceAll(messages, await session.send(stored, model, options, this.#models.setsBreakpoints(model)));
    } catch (error) {
      replaceAll(messages, session.sendLast(stored));
      throw error;
    }
  }

  /** @param {Name} model */
  #priceOf(model) {
    return this.#settings.price ?? this.#models.priceOf(model);
  }

  /** Decides whether opencode should summarise, while it waits for this hook. @param {string} sessionID @param {number} outputLength characters */
  async #onStepEnd(sessionID, outputLength) {
    const session = this.#sessions.get(sessionID);
    if (session === undefined || this.#settings.compactLater) return;
    const limit = this.#models.compactionLimit(session.model, this.#config);
    await session.requestSummaryIfDue(this.#client, outputLength, limit);
  }

  /** @param {Event} event */
  #onEvent({ type, properties }) {
    if (type === 'message.updated') {
      const { role, sessionID, finish, summary, tokens } = properties.info;
      if (role === 'assistant' && finish !== undefined && summary !== true)
        this.#sessions.get(sessionID)?.viewed?.observe(tokens);
    } else if (type === 'message.part.updated') {
      if (properties.part.type === 'compaction') this.#sessions.get(properties.part.sessionID)?.onSummaryRegistered();
    } else if (type === 'session.idle') this.#onIdle(properties.sessionID);
    else if (type === 'session.deleted') {
      this.#sessions.delete(properties.info.id);
      Session.removeFile(this.#folder, properties.info.id);
    }
  }

  /** @param {string} sessionID */
  #onIdle(sessionID) {
    const session = this.#sessions.get(sessionID);
    if (!session?.viewed) return;
    session.isAwaited = false;
    const now = Date.now();
    if (!this.#settings.showStatus || now - this.#statusShownMs < STATUS_INTERVAL_MS) return;
    this.#statusShownMs = now;
    const text = this.#textOf('statusText', sessionID);
    if (text !== undefined) say(this.#client, text, 'info');
  }

  /** Undefined before the session's first request. @param {'statusText' | 'summaryText'} name @param {string} sessionID */
  #textOf(name, sessionID) {
    const { viewed, model } = this.#sessions.get(sessionID) ?? {};
    return model && viewed?.[name](this.#models.entryOf(model), this.#priceOf(model));
  }

  /** Shows its text and throws: a command is a prompt, which would cost a request. @param {{ command: string, sessionID: string }} call */
  async #onCommand({ command, sessionID }) {
    if (command !== NAME) return;
    const text = this.#textOf('summaryText', sessionID);
    say(this.#client, text ?? 'palimpsest: no request of this session was sent since opencode was started.', 'info');
    throw new Error('palimpsest has shown what was asked for; nothing is sent');
  }
}

/** @param {Input['client']} client @param {string} message @param {'info' | 'warning' | 'error'} variant */
function say(client, message, variant) {
  Promise.resolve(client.tui.showToast({ body: { message, variant, duration: MESSAGE_DURATION_MS } })).catch(() => {});
}

/** Replaces the elements of opencode's array. @param {OpencodeMessage[]} messages @param {readonly OpencodeMessage[]} sent */
function replaceAll(messages, sent) {
  messages.length = 0;
  for (const message of sent) messages.push(message);
}

/** @param {Input} input @param {Record<string, unknown>} [options] @param {NodeJS.ProcessEnv} [environment] @returns {Promise<Hooks>} */
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
