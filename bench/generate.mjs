// @ts-check
/** Generates sessions like those of real applications, deterministically by seed, so that measurements can be repeated. */
import { seeded } from './promise/random.mjs';

/** Start time of every generated session, ms. */
const START = 1_780_000_000_000;

const COMMANDS = ['npm test', 'npm run build', 'git status', 'git diff --stat', 'cargo check', 'ls -la src', 'rg TODO'];
const FILES = Array.from(
  { length: 40 },
  (_, index) => `src/${['api', 'ui', 'core', 'util'][index % 4]}/module${index}.ts`,
);
const LINES = [
  'src/core/module7.ts(41,13): note: declared here',
  'ok 12 - compiles the project without warnings',
  'added 3 packages, and audited 412 packages in 2s',
  "  const result = await client.request({ method: 'POST', body });",
  'import { readFile, writeFile } from "node:fs/promises";',
  'warning: unused variable `index` in module2',
  'drwxr-xr-x  12 user  staff   384 Jan 31 01:20 components',
];

/** Non-Latin text, which makes a string use two bytes per character. */
const WIDE_LINES = [
  '测试通过:共 128 个用例,全部成功',
  '// 读取配置文件,如果不存在则使用默认值',
  '✓ compiles the project (12 ms)',
];

class Generator {
  #random;
  #clock = START;
  #calls = 0;

  /** @param {number} seed */
  constructor(seed) {
    this.#random = seeded(seed);
  }

  /** Returns the messages that one turn of the loop adds. @returns {any[]} */
  turn() {
    const messages = [];
    if (this.#chance(0.06)) messages.push({ role: 'user', content: this.#text(300), timestamp: this.#clock });
    const exchanges = Array.from({ length: this.#chance(0.15) ? 2 : 1 }, () => this.#exchange());
    this.#clock += 2000;
    messages.push({
      role: 'assistant',
      content: this.#text(200),
      timestamp: this.#clock,
      tool_calls: exchanges.map(({ call }) => call),
    });
    for (const { result } of exchanges) {
      this.#clock += 1000 + Math.floor(this.#random() * 30_000);
      // Use a literal, as applications do: V8 gives each object built by spread and assignment its own shape, which slows down every access.
      const { tool_call_id, content } = result;
      messages.push({ role: 'tool', tool_call_id, content, timestamp: this.#clock });
    }
    return messages;
  }

  #exchange() {
    const id = `call_${(this.#calls++).toString(36).padStart(8, '0')}`;
    const { name, input, content } = this.#toolUse();
    const call = { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
    return { call, result: { tool_call_id: id, content } };
  }

  #toolUse() {
    const kind = this.#random();
    if (kind < 0.45) {
      const command = this.#pick(COMMANDS);
      return { name: 'terminal-execute', input: { command, timeout: 30_000 }, content: this.#terminalResult(command) };
    }
    // The square makes some files be read again and again, as agents do.
    const file = FILES[Math.floor(this.#random() ** 2 * FILES.length)];
    if (kind < 0.8) {
      const input = { filePath: this.#chance(0.1) ? [file, this.#pick(FILES)] : file, startLine: 1, endLine: 200 };
      return { name: 'filesystem-read', input, content: this.#numbered(file) };
    }
    const name = this.#pick(['filesystem-edit', 'ace-text_search', 'todo-update']);
    return { name, input: { filePath: file, query: this.#pick(LINES) }, content: this.#text(this.#size()) };
  }

  #terminalResult(command) {
    const failed = this.#chance(0.1);
    const stderr = failed ? `Error: ${this.#pick(LINES)}` : '';
    return JSON.stringify({ stdout: this.#text(this.#size()), stderr, exitCode: failed ? 1 : 0, command });
  }

  #numbered(file) {
    const lines = this.#text(this.#size()).split('\n');
    return `📄 ${file} (lines 1-${lines.length})\n${lines.map((line, index) => `${index + 1}→${line}`).join('\n')}`;
  }

  /** 0.2–8 KB, 3 KB on average, as in recorded sessions. */
  #size() {
    return 200 + 7800 * this.#random() ** 1.8;
  }

  /** @param {number} length */
  #text(length) {
    const lines = [];
    const choice = this.#chance(0.25) ? [...LINES, ...WIDE_LINES] : LINES;
    for (let size = 0; size < length; ) {
      const line = this.#pick(choice);
      lines.push(line);
      size += line.length + 1;
    }
    return lines.join('\n');
  }

  /** @template T @param {readonly T[]} values @returns {T} */
  #pick(values) {
    return /** @type {T} */ (values[Math.floor(this.#random() * values.length)]);
  }

  #chance(probability) {
    return this.#random() < probability;
  }
}

/**
 * A session as the list of messages of each turn.
 * @param {number} count
 * @param {number} [seed]
 * @returns {any[][]}
 */
function generateTurns(count, seed = 1) {
  const generator = new Generator(seed);
  const system = { role: 'system', content: 'You are a coding agent. '.repeat(100) };
  return Array.from({ length: count }, (_, index) => (index === 0 ? [system, ...generator.turn()] : generator.turn()));
}

/**
 * A session of about `length` messages, in whole turns.
 * @param {number} length
 * @param {number} [seed]
 * @returns {any[]}
 */
export function generateHistory(length, seed = 1) {
  const messages = [];
  for (const turn of generateTurns(length, seed)) {
    if (messages.length > 0 && messages.length + turn.length > length) break;
    messages.push(...turn);
  }
  return messages;
}
