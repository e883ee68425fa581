// @ts-check
/** Random turns for compression: fast-check shrinks a plan, from which {@link Scribe} writes messages. */
import fc from 'fast-check';
import { weighted } from './weighted.mjs';

const { constantFrom, integer, record } = fc;

/** Number of words; a few texts alone fill a small window. */
const size = weighted(
  [12, integer({ min: 0, max: 60 })],
  [6, integer({ min: 60, max: 500 })],
  [1, integer({ min: 500, max: 4_000 })],
);

const call = record({ words: size, fails: constantFrom(false, false, false, true), file: integer({ min: 0, max: 4 }) });

export const turn = record({
  ask: weighted([3, constantFrom(null)], [1, size]),
  say: size,
  calls: weighted([1, constantFrom([])], [5, fc.array(call, { minLength: 1, maxLength: 4 })]),
  thinks: constantFrom(false, false, true),
  usage: constantFrom('none', 'none', 'exact', 'high'),
  isPinned: weighted([9, constantFrom(false)], [1, constantFrom(true)]),
  // When the results of calls come: at once, before the next turn, or after it.
  answered: weighted([8, constantFrom('now')], [2, constantFrom('next')], [1, constantFrom('later')]),
});

const WORDS = [
  'build',
  'port 8080',
  '测试',
  'src/a.ts',
  'the',
  '配置文件',
  'failed',
  '👩‍💻',
  'const x = 1;',
  '"json"',
  '\\n',
  'v2.3.1',
];

/** @param {number} words @param {number} seed */
export function prose(words, seed) {
  return Array.from({ length: words }, (_, index) => WORDS[(index * 7 + seed * 3 + (index % 5)) % WORDS.length]).join(
    ' ',
  );
}

/** Writes turns in OpenAI's or Anthropic's form. */
export class Scribe {
  #count = 0;
  /** @type {any[]} results of running calls that come before the next turn ... */
  #pending = [];
  /** @type {any[]} ... and after it */
  #late = [];

  /** @param {'openai' | 'anthropic'} form @param {(messages: any[]) => number} countTokens tokens to report as usage */
  constructor(form, countTokens) {
    this.form = form;
    this.countTokens = countTokens;
  }

  /** The messages with the results of running calls. */
  get inFlight() {
    return [...this.#pending, ...this.#late];
  }

  /** Drops the results of running calls. */
  forget() {
    this.#pending = [];
    this.#late = [];
  }

  /** @param {any} plan @param {readonly any[]} before @returns {any[]} */
  write(plan, before) {
    const messages = this.#pending;
    this.#pending = this.#late;
    this.#late = [];
    const seed = ++this.#count;
    const pinned = plan.isPinned ? { isPinned: true } : {};
    if (plan.ask !== null)
      messages.push({ role: 'user', content: `request ${seed}: ${prose(plan.ask, seed)}`, ...pinned });
    const [assistant, ...answers] = this.form === 'openai' ? this.#openai(plan, seed) : this.#anthropic(plan, seed);
    messages.push({ ...assistant, ...this.#usage(plan.usage, [...before, ...messages], assistant) });
    if (plan.answered === 'next') this.#pending.push(...answers);
    else if (plan.answered === 'later') this.#late.push(...answers);
    else messages.push(...answers);
    return messages;
  }

  /** @param {string} kind @param {any[]} before @param {any} answer */
  #usage(kind, before, answer) {
    if (kind === 'none') return {};
    const prompt = Math.ceil(this.countTokens(before) * (kind === 'high' ? 1.3 : 1));
    const completion = this.countTokens([answer]);
    if (this.form === 'anthropic') return { usage: { input_tokens: prompt, output_tokens: completion } };
    return { usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion } };
  }

  /** @param {any} plan @param {number} seed */
  #openai({ say, calls, thinks }, seed) {
    const id = (/** @type {number} */ index) => `call_${seed}_${index}`;
    const declared = calls.map((/** @type {any} */ { file }, /** @type {number} */ index) => ({
      id: id(index),
      type: 'function',
      function: { name: 'filesystem-read', arguments: JSON.stringify({ filePath: `src/${file}.ts` }) },
    }));
    const assistant = {
      role: 'assistant',
      content: prose(say, seed),
      ...(thinks && { reasoning_content: `因为 ${seed}` }),
    };
    if (calls.length === 0) return [assistant];
    const answers = calls.map((/** @type {any} */ { words, fails }, /** @type {number} */ index) => ({
      role: 'tool',
      tool_call_id: id(index),
      content: `${fails ? 'Error: ' : ''}${prose(words, seed + index)}`,
    }));
    return [{ ...assistant, tool_calls: declared }, ...answers];
  }

  /** @param {any} plan @param {number} seed */
  #anthropic({ say, calls, thinks }, seed) {
    const id = (/** @type {number} */ index) => `toolu_${seed}_${index}`;
    const thought = { type: 'thinking', thinking: `because ${seed}`, signature: `sig${seed}==` };
    const content = [
      ...(thinks ? [thought] : []),
      { type: 'text', text: prose(say, seed) },
      ...calls.map((/** @type {any} */ { file }, /** @type {number} */ index) => ({
        type: 'tool_use',
        id: id(index),
        name: 'filesystem-read',
        input: { filePath: `src/${file}.ts` },
      })),
    ];
    const assistant = { role: 'assistant', content };
    if (calls.length === 0) return [assistant];
    const results = calls.map((/** @type {any} */ { words, fails }, /** @type {number} */ index) => ({
      type: 'tool_result',
      tool_use_id: id(index),
      content: index % 2 === 0 ? prose(words, seed) : [{ type: 'text', text: prose(words, seed) }],
      ...(fails && { is_error: true }),
    }));
    return [assistant, { role: 'user', content: results }];
  }
}
