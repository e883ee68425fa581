// @ts-check
/** Random histories of chat messages, with the oddities of providers and old session files. */
import fc from 'fast-check';
import { argumentsText, content } from './contents.mjs';
import { weighted } from './weighted.mjs';

/** Start time of every clock in the tests. Ages are whole minutes, so that limits are also met exactly. */
export const START = 1_780_000_000_000;
export const MINUTE = 60_000;

const { constant, constantFrom, record } = fc;

/**
 * A message with one call, and its result.
 * @param {string} id
 * @param {string} name
 * @param {unknown} input
 * @param {string} content
 * @param {{ timestamp?: number }} [fields] of the result
 * @returns {any[]}
 */
export function exchange(id, name, input, content, fields) {
  const call = { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
  return [
    { role: 'assistant', content: '', tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content, ...fields },
  ];
}

/** A message with one call of `bash` for each id. @param {string[]} ids @returns {any} */
export const callsOf = (...ids) => ({
  role: 'assistant',
  content: '',
  tool_calls: ids.map((id, nth) => ({ id, type: 'function', function: { name: 'bash', arguments: `{"nth":${nth}}` } })),
});
/** @param {string} id @param {string} [content] @returns {any} */
export const resultOf = (id, content = 'done') => ({ role: 'tool', tool_call_id: id, content });
/** @param {string} content @returns {any} */
export const userMessage = (content) => ({ role: 'user', content });

const toolName = weighted(
  [7, constantFrom('terminal-execute', 'Bash', 'run_shell_command', 'EXEC_COMMAND')],
  [10, constant('filesystem-read')],
  [3, constantFrom('ace-text_search', 'filesystem-edit', 'exec', 'Filesystem-Read', 'terminal-execute ')],
  [1, constantFrom(undefined, null, 7)],
);

/** `fresh` ids are unique; the others occur with some providers and in old session files. */
const callId = weighted(
  [12, constant('fresh')],
  [3, constantFrom('call_0', 'call_1', '__proto__', 'é\u0000')],
  [1, constantFrom(undefined, null, '', 0, {})],
);

const invalidCall = constantFrom(null, undefined, 'call', 3, {}, { id: 'call_0' }, { id: 'call_1', function: null });

const timestampKind = weighted(
  [20, constant('clock')],
  [2, constant('same')],
  [2, constant('backwards')],
  [
    1,
    constantFrom(
      undefined,
      null,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      `${START}`,
      -0,
      1e300,
    ),
  ],
);

const toolCall = record({
  name: toolName,
  id: callId,
  arguments: argumentsText,
  answers: weighted([20, constant(1)], [2, constant(0)], [1, constant(2)]),
  early: weighted([15, constant(false)], [1, constant(true)]),
  content,
  status: weighted([9, constant(undefined)], [1, constant('error')], [1, constantFrom('success', null, 'Error', 1)]),
  timestamp: timestampKind,
});

const invalidSlot = constantFrom(
  undefined,
  null,
  0,
  'tool',
  {},
  { role: 'tool' },
  { role: 'tool', content: null, timestamp: START },
  { role: 'tool', content: '{"stdout":"loose"}', timestamp: START, tool_call_id: 'nobody' },
  { role: 'assistant', tool_calls: {} },
  { role: 'assistant', tool_calls: 'call_0' },
  { role: 'assistant', tool_calls: null, content: '' },
  { role: 'user', content: 'Error: no', tool_calls: [{ id: 'call_0', function: { name: 'Bash' } }] },
  { role: 'Tool', content: '{"stdout":""}', timestamp: START, tool_call_id: 'call_0' },
);

/** One turn: the assistant's calls and their results, occasionally with invalid messages. */
export const round = record({
  question: weighted([3, constant(false)], [1, constant(true)]),
  calls: fc.array(toolCall, { minLength: 1, maxLength: 3 }),
  invalidCalls: weighted([15, constant([])], [1, fc.array(invalidCall, { minLength: 1, maxLength: 2 })]),
  minutes: weighted([6, fc.integer({ min: 0, max: 6 })], [1, constantFrom(15, 16, 60)]),
  slot: weighted([15, constant('none')], [1, invalidSlot]),
});

/** Keeps the clock and the used ids, so that a history can be continued later. */
export class Recorder {
  now = START;
  #ids = 0;
  #name;

  /** @param {string} name prefix of ids, so that they differ between conversations */
  constructor(name = 'c') {
    this.#name = name;
  }

  /** @param {any} turn @returns {any[]} messages of one turn */
  record(turn) {
    /** @type {any[]} */
    const messages = turn.question ? [{ role: 'user', content: 'go on', timestamp: this.now }] : [];
    if (turn.slot !== 'none') messages.push(structuredClone(turn.slot));
    const calls = turn.calls.map((call) => ({ ...call, id: this.#idOf(call.id) }));
    for (const call of calls) if (call.early) messages.push(...this.#results(call, 1));
    const declared = calls.map(({ id, name, arguments: text }) => ({
      id,
      type: 'function',
      function: { name, arguments: text },
    }));
    messages.push({ role: 'assistant', content: '', tool_calls: [...declared, ...turn.invalidCalls] });
    this.now += turn.minutes * MINUTE;
    for (const call of calls) if (!call.early) messages.push(...this.#results(call, call.answers));
    return messages;
  }

  #idOf(id) {
    return id === 'fresh' ? `${this.#name}_${this.#ids++}` : id;
  }

  #results(call, count) {
    return Array.from({ length: count }, () => {
      /** @type {any} */
      const message = { role: 'tool', tool_call_id: call.id, content: structuredClone(call.content) };
      if (call.status !== undefined) message.messageStatus = call.status;
      const timestamp = this.#timestamp(call.timestamp);
      if (timestamp !== undefined) message.timestamp = timestamp;
      return message;
    });
  }

  #timestamp(kind) {
    if (kind === 'clock') this.now += MINUTE;
    if (kind === 'clock' || kind === 'same') return this.now;
    return kind === 'backwards' ? this.now - 20 * MINUTE : kind;
  }
}

/** Whole histories: the messages and the time of the last one. */
export const history = fc.array(round, { maxLength: 24, size: 'max' }).map((turns) => {
  const recorder = new Recorder();
  const messages = turns.flatMap((turn) => recorder.record(turn));
  return { messages, end: recorder.now };
});

/** Minutes between the end of the history and the request. */
export const delay = weighted([3, constantFrom(0, 1, 14, 15, 16)], [2, fc.integer({ min: -90, max: 120 })]);

const keepRecent = weighted([3, fc.integer({ min: 0, max: 3 })], [1, constant(5)]);

/**
 * Nearly always sets options: with the default of five recent results, short histories contain hardly any outdated
 * result.
 * @param {fc.Arbitrary<any>} options
 */
const mostly = (options) =>
  fc
    .tuple(options, weighted([4, keepRecent], [1, constant(undefined)]))
    .map(([given, keep]) => (keep === undefined ? given : { ...given, keepRecent: keep }));

export const terminalOptions = mostly(
  record(
    {
      maxAgeMs: constantFrom(0, MINUTE, 5 * MINUTE, 15 * MINUTE),
      terminalTools: constantFrom(['exec'], ['TERMINAL-EXECUTE', 'exec'], []),
      placeholder: constantFrom('gone', '', '此命令返回内容已过时'),
      placeholderLanguage: constantFrom('zh', 'en'),
      errors: constantFrom('exitCode', 'seed'),
      countErrors: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
);

export const textSearchOptions = mostly(
  record(
    {
      maxAgeMs: constantFrom(0, MINUTE, 10 * MINUTE),
      placeholderLanguage: constantFrom('zh', 'en'),
      countErrors: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
);

/** `projectRoot` is always set: the histories' files are in these two projects. */
export const fileReadOptions = mostly(
  record(
    {
      projectRoot: constantFrom('/home/me/app', '/home/me/app', '/home/me/app/', 'F:\\Projects\\snow'),
      readTools: constantFrom(['filesystem-read', 'Filesystem-Read'], ['filesystem-read'], ['filesystem-edit']),
      pathKeys: constantFrom(['filePath', 'path'], ['filePath', 'path'], ['path'], ['filePath']),
      caseInsensitivePaths: fc.boolean(),
      placeholderLanguage: constantFrom('zh', 'en'),
      placeholder: constantFrom('read again', '[该文件的历史读取内容已压缩,请参看最新读取结果]'),
    },
    { requiredKeys: ['projectRoot', 'caseInsensitivePaths'] },
  ),
);

/** Options of the presets of one turn, and the language that `prepareMessages` uses for all of them. */
export const cleanupOptions = record(
  { terminal: terminalOptions, fileReads: fileReadOptions, placeholderLanguage: constantFrom('zh', 'en') },
  { requiredKeys: ['terminal', 'fileReads'] },
);
