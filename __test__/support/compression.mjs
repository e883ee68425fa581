// @ts-check
/** Sessions, models and configurations for tests of compression, all scripted and fast. */
import * as palimpsest from 'palimpsest';

export const { AutoCompressionManager, DamagedHistoryError, defaultSummaryPrompt, expandHistory, stripForApi } =
  /** @type {any} */ (palimpsest);

/** A fixed time, so that records are the same in every run. */
export const NOW = 1_700_000_000_000;
export const WINDOW = 4_000;
/** Token counts that trigger compression, and that exceed the hard limit, for {@link WINDOW}. */
export const FULL = 3_400;
export const OVER = 4_600;

export const TASK = 'Please repair the login page and keep the port at 8443.';

/** The reply of a good model. @param {string} [goal] */
export const summary = (goal = 'repair the login page') =>
  ['Goal', 'Decisions', 'Done', 'Open', 'Files', 'Failed attempts', 'Discoveries']
    .map((heading) => `## ${heading}\n${heading === 'Goal' ? goal : 'none'}`)
    .join('\n');

const counter = new palimpsest.TokenCounter();

/** @param {readonly any[]} messages */
export const tokensOf = (messages) => counter.countMessages(stripForApi(messages));

/** @param {number} words @param {string} [mark] */
export const filler = (words, mark = 'word') =>
  Array.from({ length: words }, (_, index) => `${mark}${index % 7}`).join(' ');

/** A call and its result. @param {number} number @param {number} [words] words of the result @returns {any[]} */
export function exchange(number, words = 40) {
  const call = {
    id: `call-${number}`,
    type: 'function',
    function: { name: 'shell', arguments: `{"command":"step ${number}"}` },
  };
  return [
    { role: 'assistant', content: `I take step ${number}.`, tool_calls: [call] },
    { role: 'tool', tool_call_id: call.id, content: `result ${number}: ${filler(words)}`, timestamp: number },
  ];
}

/** A call and its result with this content. @param {number} number @param {string} content */
export function exchangeWith(number, content) {
  const [call, result] = exchange(number);
  return [call, { ...result, content }];
}

/** One assistant message with `count` calls, then their results. @param {number} count @param {number} [words] words of each result */
export function parallelExchanges(count, words) {
  const pairs = Array.from({ length: count }, (_, number) => exchange(number, words));
  const calls = pairs.map(([call]) => call.tool_calls[0]);
  return [{ role: 'assistant', content: 'all at once', tool_calls: calls }, ...pairs.map(([, result]) => result)];
}

/**
 * A system prompt, a task, and calls with results until `tokens` is reached.
 * @param {number} [tokens]
 * @param {{ words?: number, system?: string, task?: string, from?: number }} [options]
 * @returns {any[]}
 */
export function session(tokens = FULL, { words = 40, system = 'You are an agent.', task = TASK, from = 0 } = {}) {
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: task },
  ];
  grow(messages, tokens, { words, from });
  return messages;
}

/**
 * Adds calls with results.
 * @param {any[]} messages @param {number} tokens size up to which it grows
 * @param {{ words?: number, from?: number }} [options]
 */
export function grow(messages, tokens, { words = 40, from = 0 } = {}) {
  let total = tokensOf(messages);
  for (let number = from + messages.length; total < tokens; number++) {
    const next = exchange(number, words);
    total += tokensOf(next);
    messages.push(...next);
  }
  return messages;
}

/** Key of the section of settings. */
export const SECTION_KEY = 'conversation.autoCompression';

/** Settings as a section. */
export const sectionSettings = {
  enabled: true,
  threshold: 0.8,
  keepRecentCount: 3,
  summaryMaxTokens: 777,
  summaryModel: 'section-model',
  summaryTimeout: 20_000,
  totalTimeout: 60_000,
  summaryContextTokens: 64_000,
  contextLimit: { maxTokens: WINDOW, hardLimitThreshold: 0.95 },
};

/** Settings with flat keys. @param {Record<string, unknown>} [changes] @returns {Record<string, any>} */
export const configuration = (changes = {}) => ({
  autoCompressionSummaryModel: 'small-model',
  autoCompressionKeepRecentCount: 4,
  maxContextTokens: WINDOW,
  // Large enough to summarise the whole history in one request, so that tests can count requests.
  autoCompressionSummaryContextTokens: 64_000,
  ...changes,
});

/**
 * A model that answers by script; the last entry repeats. An `Error` is thrown, a function is called with the
 * parameters, and anything else is the reply.
 * @param {...any} script
 */
export function scripted(...script) {
  /** @type {any[]} */
  const calls = [];
  const model = async (/** @type {any} */ parameters) => {
    const line = script[Math.min(calls.length, script.length - 1)];
    // Read `model` like a client that uses it; otherwise the record doesn't contain it.
    if (typeof parameters.model === 'string') calls.push(parameters);
    if (line instanceof Error) throw line;
    return typeof line === 'function' ? line(parameters) : line;
  };
  return Object.assign(model, { calls });
}

/** A model that fails at each call. */
export const failingModel = () => scripted(new Error('away'));

/** A provider's error for a request above its window. @param {number} windowTokens */
export const overflowError = (windowTokens) =>
  Object.assign(
    new Error(
      `This model's maximum context length is ${windowTokens} tokens. However, your messages resulted in 9000 tokens.`,
    ),
    { status: 400, code: 'context_length_exceeded' },
  );

/** A model that replies when `release` is called; `requested` resolves at its first call. @param {unknown} [answer] */
export function pendingModel(answer = summary()) {
  /** @type {(value?: unknown) => void} */
  let release = () => {};
  /** @type {(value?: unknown) => void} */
  let request = () => {};
  const requested = new Promise((resolve) => {
    request = resolve;
  });
  const answered = new Promise((resolve) => {
    release = (value = answer) => resolve(value);
  });
  const model = scripted(() => {
    request();
    return answered;
  });
  return { model, requested, release, calls: model.calls };
}

/** A logger that records its calls in `entries`. */
export function recordingLogger() {
  /** @type {{ level: string, fields: Record<string, any>, message: string }[]} */
  const entries = [];
  const on = (/** @type {string} */ level) => (/** @type {any} */ fields, /** @type {string} */ message) =>
    void entries.push({ level, fields, message });
  // Like pino's methods, which take the fields first.
  const bindings = () => ({});
  return { entries, bindings, debug: on('debug'), info: on('info'), warn: on('warn'), error: on('error') };
}

/**
 * A manager, with everything that a test inspects.
 * @param {{ config?: any, model?: any, options?: Record<string, unknown>, logger?: any }} [given]
 */
export function managerWith({ config = configuration(), model = scripted(summary()), options = {}, logger } = {}) {
  const log = logger ?? recordingLogger();
  /** @type {any[]} */
  const events = [];
  const manager = new AutoCompressionManager(config, model, log, {
    onEvent: (/** @type {any} */ event) => void events.push(event),
    ...options,
  });
  const types = () => events.map(({ type }) => type);
  const event = (/** @type {string} */ type) => events.find((one) => one.type === type);
  return { manager, model, log, events, types, event, calls: model.calls };
}

/**
 * A manager after one `process` call. `before` has deep copies of the messages before the call, `stored` the objects.
 * @param {any[]} messages
 * @param {Parameters<typeof managerWith>[0]} [given]
 */
export async function processed(messages, given) {
  const made = managerWith(given);
  const before = structuredClone(messages);
  const stored = [...messages];
  await made.manager.process(messages, { now: NOW });
  return { ...made, messages, before, stored };
}

/** @param {readonly any[]} messages */
export const summaryIn = (messages) => messages.find((message) => message?.compression?.kind === 'summary');

/** @param {readonly any[]} messages */
export const noticeIn = (messages) => messages.find((message) => message?.compression?.kind === 'truncation');

/** Ids of results without a call before them, and of calls without a result. @param {readonly any[]} messages */
export function unpaired(messages) {
  /** @type {Set<string>} */
  const open = new Set();
  const alone = [];
  for (const { tool_calls: calls, tool_call_id: answered, content } of messages) {
    for (const call of calls ?? []) open.add(call.id);
    const parts = Array.isArray(content) ? content : [];
    for (const part of parts) if (part.type === 'tool_use') open.add(part.id);
    const answers = parts.filter((part) => part.type === 'tool_result').map((part) => part.tool_use_id);
    for (const id of answered === undefined ? answers : [answered, ...answers]) if (!open.delete(id)) alone.push(id);
  }
  return [...alone, ...open];
}

/** The messages as saved in a JSON file and loaded again. @param {any} messages @returns {any} */
export const throughJson = (messages) => JSON.parse(JSON.stringify(messages));

/** An object for which every operation throws. */
export const hostileProxy = () => {
  const fail = () => {
    throw new Error('a proxy throws');
  };
  return new Proxy({}, { get: fail, has: fail, ownKeys: fail, getOwnPropertyDescriptor: fail, getPrototypeOf: fail });
};
