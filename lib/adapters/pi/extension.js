// @ts-check
'use strict';

const { Conversations } = require('../conversations.js');
const { LastProjection } = require('../last-projection.js');
const { isMarkedByPi, priceOf } = require('./price.js');
const { readSettings } = require('./settings.js');
const { statusText, summaryText } = require('./status.js');

const NAME = 'palimpsest';
/** Marks that pi sets ahead of all messages: at the system prompt and at the tools. */
const MARKS_AHEAD = 2;
const MARK = Object.freeze({ type: 'ephemeral' });

/** What pi gives to handlers, as far as it is used. @typedef {import('../../entry/pi.js').PiContext} PiContext */
/** @typedef {import('../../entry/pi.js').PiApi} PiApi */
/** @typedef {{ key: string, conversations: Conversations, request: { observe(usage: unknown): void } | null }} Current */

/**
 * An extension for pi: each request is sent as a view of its session sends it. Nothing is written to pi's messages or session
 * files: what is sent depends on the messages alone, so a session that goes on in another process sends the same bytes.
 */
class Extension {
  #pi;
  #settings;
  #isKeptLong;
  /** The session in use, by the prices of the model in use. @type {Current | null} */
  #current = null;
  #last = new LastProjection();
  #hasFailed = false;

  /** @param {PiApi} pi @param {import('./settings.js').Settings} settings @param {NodeJS.ProcessEnv} environment */
  constructor(pi, settings, environment) {
    this.#pi = pi;
    this.#settings = settings;
    this.#isKeptLong = environment.PI_CACHE_RETENTION === 'long';
  }

  /** @param {{ messages: any[] }} event @param {PiContext} context */
  async send({ messages }, context) {
    try {
      const sent = await this.#prepare(messages, context);
      this.#last.note(messages, sent);
      return { messages: sent };
    } catch (error) {
      this.#say(context, error);
      const sent = this.#last.goneOn(messages);
      this.#last.note(messages, sent);
      return { messages: sent };
    }
  }

  /** @param {readonly any[]} messages @param {PiContext} context @returns {Promise<any[]>} */
  async #prepare(messages, context) {
    const { model, signal } = context;
    const current = this.#for(context);
    const ahead = context.getSystemPrompt() + JSON.stringify(this.#pi.getActiveTools());
    const isMarked = isMarkedByPi(model);
    const around = { ahead, model: model?.id ?? '', signal, marks: isMarked ? MARKS_AHEAD : 0 };
    const last = messages.at(-1);
    // Pi marks the newest message for the provider's cache after this hook; cuts are priced by marks.
    const marked = isMarked && last !== undefined ? { ...last, cache_control: MARK } : last;
    const given = last === undefined ? messages : [...messages.slice(0, -1), marked];
    const request = await current.conversations.prepare(given, around);
    current.request = request;
    return request.messages.map((message) => (message === marked ? last : message));
  }

  /** @param {PiContext} context @returns {Current} */
  #for({ model, sessionManager }) {
    const price = this.#settings.price ?? priceOf(model, this.#isKeptLong);
    const id = sessionManager.getSessionId();
    const key = JSON.stringify([id, price]);
    if (this.#current?.key === key) return this.#current;
    const options = { ...this.#settings.view, price, dialect: 'pi', memory: 'messages', conversationId: id };
    this.#current = { key, conversations: new Conversations(options), request: null };
    return this.#current;
  }

  /** @param {{ message: any }} event @param {PiContext} context */
  answered({ message }, context) {
    if (message?.role !== 'assistant') return;
    try {
      this.#current?.request?.observe(message.usage);
      this.#show(context);
    } catch (error) {
      this.#say(context, error);
    }
  }

  /** @param {PiContext} context */
  #show(context) {
    const view = this.#view();
    if (view === undefined || !context.hasUI || !this.#settings.showStatus) return;
    context.ui.setStatus(NAME, statusText(view, context, this.#price(context), Date.now()));
  }

  /** @param {PiContext} context */
  summary(context) {
    const view = this.#view();
    if (view === undefined) return 'palimpsest: no request of this session was sent yet.';
    return summaryText(view, context, this.#price(context), Date.now());
  }

  /** @param {PiContext} context */
  #price({ model }) {
    return this.#settings.price ?? priceOf(model, this.#isKeptLong);
  }

  #view() {
    return [...(this.#current?.conversations.views ?? [])].at(-1);
  }

  /** Says once that something of ours failed, and goes on. @param {PiContext} context @param {unknown} error */
  #say({ hasUI, ui }, error) {
    if (this.#hasFailed || !hasUI) return;
    this.#hasFailed = true;
    const reason = error instanceof Error ? error.message : String(error);
    ui.notify(`palimpsest failed, and pi goes on without it: ${reason}`, 'warning');
  }
}

/**
 * @param {PiApi} pi
 * @param {NodeJS.ProcessEnv} [environment]
 */
function palimpsest(pi, environment = process.env) {
  let settings;
  try {
    settings = readSettings(environment);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    pi.on('session_start', (_, { hasUI, ui }) => {
      if (hasUI) ui.notify(`palimpsest is off, since its settings can't be read: ${reason}`, 'error');
    });
    return;
  }
  if (!settings.enabled) return;
  const extension = new Extension(pi, settings, environment);
  pi.on('context', (event, context) => extension.send(event, context));
  pi.on('message_end', (event, context) => extension.answered(event, context));
  pi.registerCommand(NAME, {
    description: 'What palimpsest leaves out of requests, and what it saved',
    handler: async (_, context) => context.ui.notify(extension.summary(context), 'info'),
  });
}

module.exports = { palimpsest };
