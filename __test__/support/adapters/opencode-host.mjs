// @ts-check
/** Simulates opencode with its session in memory: calls the plug-in's hooks as opencode does. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { palimpsest } from 'palimpsest/opencode';
import { deepFreeze } from '../compressed-host.mjs';

const MODEL = {
  id: 'claude-mock',
  api: { npm: '@ai-sdk/anthropic' },
  cost: { input: 3, output: 15, cache: { read: 0.3, write: 3.75 } },
  limit: { context: 200_000, output: 8_000 },
};
const NAME = { providerID: 'mock', modelID: MODEL.id };

/** A folder for a test's stored state, and the environment variable that names it. */
export class StateFolder {
  path = mkdtempSync(join(tmpdir(), 'palimpsest-opencode-'));
  environment = { XDG_STATE_HOME: this.path };

  remove() {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** A session as opencode stores it. */
export class OpencodeSession {
  id = 'ses_1';
  /** @type {any[]} */ messages = [];
  #parts = 0;

  /** @param {object} info @param {object[]} parts @returns {any} */
  append(info, parts) {
    const id = `msg_${String(this.messages.length).padStart(4, '0')}`;
    const own = { sessionID: this.id, messageID: id };
    const message = {
      info: { id, sessionID: this.id, time: { created: Date.now() }, ...info },
      parts: parts.map((part) => ({ ...part, ...own, id: `prt_${this.#parts++}` })),
    };
    this.messages.push(structuredClone(message));
    return message;
  }

  /** @param {string} text */
  ask(text) {
    return this.append({ role: 'user', agent: 'build', model: NAME }, [{ type: 'text', text }]);
  }
}

/** One opencode process. */
export class OpencodeProcess {
  /** Messages of the plug-in on the screen. @type {string[]} */ notes = [];
  /** Summaries that were requested. @type {any[]} */ summaries = [];
  /** An error that the `model` of messages throws in the next requests. @type {Error | null} */ fault = null;
  /** @type {any} */ config = {};
  /** @type {import('palimpsest/opencode').OpencodeHooks} */ hooks = {};

  /** @param {OpencodeSession} session @param {Record<string, string>} environment @param {Record<string, unknown>} [options] */
  static async start(session, environment, options) {
    const agent = new OpencodeProcess();
    agent.session = session;
    const client = {
      config: { providers: async () => ({ data: { providers: [{ id: 'mock', models: { [MODEL.id]: MODEL } }] } }) },
      session: {
        summarize: async (/** @type {any} */ given) => {
          agent.summaries.push(given);
          await agent.emit('message.part.updated', { part: { type: 'compaction', sessionID: given.path.id } });
          return {};
        },
      },
      tui: { showToast: async (/** @type {any} */ { body }) => void agent.notes.push(body.message) },
    };
    agent.hooks = await palimpsest({ client }, options, environment);
    await agent.hooks.config?.(agent.config);
    await agent.hooks['chat.message']?.({}, {});
    return agent;
  }

  session = new OpencodeSession();

  /** @param {string} type @param {object} properties */
  async emit(type, properties) {
    await this.hooks.event?.({ event: { type, properties } });
  }

  /** One request: opencode reads its messages from its database. @returns {Promise<any[]>} the messages that are sent */
  async request() {
    const messages = structuredClone(this.session.messages);
    for (const message of messages) deepFreeze(message);
    if (this.fault !== null) messages.splice(0, messages.length, ...messages.map((each) => faulty(each, this.fault)));
    return this.sent(messages);
  }

  /** @param {any[]} messages opencode's own copies @returns {Promise<any[]>} the messages that are sent */
  async sent(messages) {
    await this.hooks['experimental.chat.messages.transform']?.({}, { messages });
    return messages;
  }

  /** An assistant message is complete and stored. @param {object} tokens @param {any[]} parts */
  async add(tokens, parts) {
    const isOver = parts.every(({ type }) => type !== 'tool');
    const info = { role: 'assistant', finish: isOver ? 'stop' : 'tool-calls', tokens };
    const sessionID = this.session.id;
    for (const part of parts) {
      if (part.type === 'text')
        await this.hooks['experimental.text.complete']?.({ sessionID, messageID: '', partID: '' }, { text: part.text });
      else await this.hooks['tool.execute.before']?.({ sessionID, tool: part.tool, callID: part.callID }, { args: {} });
    }
    const message = this.session.append(info, parts);
    await this.emit('message.updated', { info: message.info });
    if (isOver) await this.emit('session.idle', { sessionID });
  }
}

/** A copy of the message whose `model` throws when it is first read. @param {any} message @param {Error | null} fault */
function faulty(message, fault) {
  const { model } = message.info;
  if (model === undefined) return message;
  let isRead = false;
  const get = () => {
    if (isRead) return model;
    isRead = true;
    throw fault;
  };
  return { ...message, info: Object.defineProperty({ ...message.info }, 'model', { get, enumerable: true }) };
}
