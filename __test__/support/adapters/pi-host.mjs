// @ts-check
/** Simulates pi with its session in memory: calls the extension's handlers as the agent does. */
import { palimpsest } from 'palimpsest/pi';

export const MODEL = {
  id: 'claude-mock',
  api: 'anthropic-messages',
  provider: 'mock',
  contextWindow: 200_000,
  cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
};

export class PiSession {
  id = 'session';
  /** @type {Map<string, any>} */ entries = new Map();
  /** @type {string | null} */ leaf = null;

  getSessionId = () => this.id;
  getLeafId = () => this.leaf;
  getEntry = (/** @type {string} */ id) => this.entries.get(id);

  /** @param {object} entry */
  append(entry) {
    const id = `e${this.entries.size}`;
    this.entries.set(id, structuredClone({ ...entry, id, parentId: this.leaf }));
    this.leaf = id;
    return id;
  }

  /** Messages of the current branch. */
  get messages() {
    const found = [];
    for (let id = this.leaf; id !== null; id = this.entries.get(id).parentId) {
      const { type, message } = this.entries.get(id);
      if (type === 'message') found.unshift(message);
    }
    return found;
  }
}

/** One pi process. */
export class PiHost {
  /** @type {Map<string, (event: any, context: any) => any>} */ #handlers = new Map();
  /** @type {Map<string, any>} */ commands = new Map();
  /** @type {string[]} */ said = [];
  status = '';
  /** An error that our next calls get instead of the system prompt. @type {Error | null} */ fault = null;

  /** @param {PiSession} session @param {Record<string, string>} [environment] @param {object} [model] */
  constructor(session, environment = { PI_CODING_AGENT_DIR: '/nowhere' }, model = MODEL) {
    this.session = session;
    const pi = {
      on: (/** @type {string} */ event, /** @type {any} */ handler) => this.#handlers.set(event, handler),
      registerCommand: (/** @type {string} */ name, /** @type {any} */ command) => this.commands.set(name, command),
      getActiveTools: () => ['read', 'bash'],
      appendEntry: (/** @type {string} */ customType, /** @type {unknown} */ data) =>
        session.append({ type: 'custom', customType, data }),
    };
    palimpsest(/** @type {any} */ (pi), environment);
    this.context = {
      hasUI: true,
      model,
      sessionManager: session,
      ui: {
        notify: (/** @type {string} */ text) => this.said.push(text),
        setStatus: (/** @type {string} */ _, /** @type {string} */ text) => (this.status = text),
      },
      getSystemPrompt: () => {
        if (this.fault !== null) throw this.fault;
        return 'You are a coding agent.';
      },
    };
  }

  /** One request: pi clones its messages for it. @returns {Promise<any[]>} the messages that are sent */
  async request() {
    return this.sent(structuredClone(this.session.messages));
  }

  /** @param {any[]} messages pi's own copies @returns {Promise<any[]>} the messages that are sent */
  async sent(messages) {
    const answer = await this.#handlers.get('context')?.({ type: 'context', messages }, this.context);
    return answer?.messages ?? messages;
  }

  /** Starts the session. */
  async begun() {
    await this.#handlers.get('session_start')?.({ type: 'session_start' }, this.context);
  }

  /** Stores a complete message in the form that the extension returns. @param {any} message */
  async ended(message) {
    const answer = await this.#handlers.get('message_end')?.({ type: 'message_end', message }, this.context);
    this.session.append({ type: 'message', message: answer?.message ?? message });
  }
}
