// @ts-check
'use strict';

const { LastProjection, reasonOf, ViewedSession } = require('../coding-agents/session.js');
const { priceOf, readSettings, settingsIn } = require('../coding-agents/settings.js');
const { os, path } = require('../../node-modules.js');

/** Our name, and the type of our entries in pi's session files; pi never sends them. */ const NAME = 'palimpsest';

/** @type {import('../coding-agents/session.js').Form} */ const RESULTS = {
  idOf: ({ role, toolCallId }) => (role === 'toolResult' ? toolCallId : undefined),
  bodyOf: ({ content }) => content,
  withBody: (message, content) => ({ ...message, content }),
};

/**
 * @typedef {import('../../entry/pi.js').PiContext} PiContext
 * @typedef {import('../../entry/pi.js').PiApi} PiApi
 *
 * An extension for pi: each request is sent as a view of its session projects it; pi's messages are not written to. They have times, so another
 * process sends the same bytes. The last request's replacements are kept in entries of the session's file, for requests during which a view fails.
 */
class Extension {
  #pi;
  #settings;
  #usesLongCache;
  /** The session in use, at one model's prices. @type {InstanceType<typeof ViewedSession> | null} */ #session = null;
  #hasFailed = false;
  /** Undecided requests, sent while views failed, until a view records them. @type {any[][]} */ #undecided = [];

  /** @param {PiApi} pi @param {import('../coding-agents/settings.js').Settings} settings @param {NodeJS.ProcessEnv} environment */
  constructor(pi, settings, environment) {
    this.#pi = pi;
    this.#settings = settings;
    this.#usesLongCache = environment.PI_CACHE_RETENTION === 'long';
  }

  /** @param {{ messages: any[] }} event @param {PiContext} context */
  async send({ messages }, context) {
    const { model } = context;
    try {
      const session = this.#sessionOf(context);
      const fixedText = context.getSystemPrompt() + JSON.stringify(this.#pi.getActiveTools());
      const details = { fixedText, model: model?.id ?? '' };
      const request = await session.prepare(messages, model?.api === 'anthropic-messages', details);
      session.record(request, messages, request.messages, (sent) => this.#pi.appendEntry(NAME, { sent }));
      return { messages: request.messages };
    } catch (error) {
      this.#reportFailure(context, error);
      this.#undecided.push([...messages]);
      return { messages: this.#session?.lastProjection.applyTo(messages) ?? messages };
    }
  }

  /** @param {PiContext} context */
  #sessionOf({ model, sessionManager }) {
    const price = this.#price(model);
    const id = sessionManager.getSessionId();
    const key = JSON.stringify([id, price]);
    if (this.#session?.key === key) return this.#session;
    const options = { ...this.#settings.view, price, dialect: 'pi', conversationId: id };
    const lastProjection = new LastProjection(RESULTS);
    for (const changed of recordedChanges(sessionManager)) lastProjection.applyChanges(changed);
    this.#session = new ViewedSession(key, options, lastProjection, this.#undecided);
    return this.#session;
  }

  /** @param {{ message: any }} event @param {PiContext} context */
  onMessageEnd({ message }, context) {
    if (message?.role !== 'assistant') return undefined;
    try {
      this.#session?.observe(message.usage);
      const text = context.hasUI && this.#settings.showStatus ? this.#textOf('statusText', context) : undefined;
      if (text !== undefined) context.ui.setStatus(NAME, text);
    } catch (error) {
      this.#reportFailure(context, error);
    }
    return this.#withRemovedTokens(message);
  }

  /**
   * Adds the removed tokens to the response's total, which pi compares with the context window. Otherwise pi would
   * summarise later than without this extension, and a long prompt costs more than the short one after a summary. @param {any} message
   */
  #withRemovedTokens(message) {
    const total = message.usage?.totalTokens;
    const removedTokens = this.#session?.removedTokens ?? 0;
    if (this.#settings.compactLater || !(total > 0) || removedTokens === 0) return undefined;
    return { message: { ...message, usage: { ...message.usage, totalTokens: total + removedTokens } } };
  }

  /** @param {PiContext} context */
  summary(context) {
    return this.#textOf('summaryText', context) ?? 'palimpsest: no request of this session was sent yet.';
  }

  /** @param {'statusText' | 'summaryText'} name @param {PiContext} context */
  #textOf(name, { model }) {
    return this.#session?.[name](model, this.#price(model));
  }

  /** @param {PiContext['model']} model @returns {any} */
  #price(model) {
    return this.#settings.price ?? priceOf(model, this.#usesLongCache);
  }

  /** Shows a failure once. @param {PiContext} context @param {unknown} error */
  #reportFailure({ hasUI, ui }, error) {
    if (this.#hasFailed || !hasUI) return;
    this.#hasFailed = true;
    ui.notify(`palimpsest failed, and pi goes on without it: ${reasonOf(error)}`, 'warning');
  }
}

/** The changes recorded by `LastProjection` on this branch of a session, oldest first. @param {import('../../entry/pi.js').PiSession} session */
function recordedChanges(session) {
  const changes = [];
  for (let id = session.getLeafId() ?? null; id !== null; ) {
    const entry = session.getEntry(id);
    if (entry?.type === 'custom' && entry.customType === NAME) changes.push(entry.data.sent ?? {});
    id = entry?.parentId ?? null;
  }
  return changes.reverse();
}

/** Registers the extension. @param {PiApi} pi @param {NodeJS.ProcessEnv} [environment] */
function palimpsest(pi, environment = process.env) {
  let settings;
  try {
    const agentFolder = environment.PI_CODING_AGENT_DIR || path.join(os.homedir(), '.pi', 'agent');
    settings = readSettings('palimpsest.json', settingsIn(path.join(agentFolder, 'palimpsest.json')), environment);
  } catch (error) {
    const reason = reasonOf(error);
    pi.on('session_start', (_, { hasUI, ui }) => {
      if (hasUI) ui.notify(`palimpsest is off, since its settings can't be read: ${reason}`, 'error');
    });
    return;
  }
  if (!settings.enabled) return;
  const extension = new Extension(pi, settings, environment);
  pi.on('context', (event, context) => extension.send(event, context));
  pi.on('message_end', (event, context) => extension.onMessageEnd(event, context));
  pi.registerCommand(NAME, {
    description: 'What palimpsest leaves out of requests, and what it saved',
    handler: async (_, context) => context.ui.notify(extension.summary(context), 'info'),
  });
}

module.exports = { palimpsest };
