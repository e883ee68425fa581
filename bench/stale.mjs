// @ts-check
/**
 * For each rule for outdated results: how much more it finds in recorded sessions, and how often the model still needed
 * it. `node bench/stale.mjs`. Reports counts, not times, so the figures are the same on every machine.
 */
import { createRequire } from 'node:module';
import { loadCorpus } from '../__test__/support/corpus.mjs';

const { ContextView } = createRequire(import.meta.url)('palimpsest');

export const title = 'More that is stale: what each rule finds, and how often it was still needed';

export const RULES = ['coveredReads', 'repeatedCommands', 'identicalResults', 'resolvedErrors'];
/** Paths, identifiers and numbers with a location, as a model quotes from a result. */
const QUOTABLE = /[A-Za-z_$][\w$]*(?:[./:-][\w$]+)+|[A-Za-z_$][\w$]{7,}/g;

/** @typedef {{ tool_calls?: { function?: { name?: string, arguments?: string } }[], content: unknown, role: string }} Message */

/** @param {Message} message */
function textOf({ content, tool_calls }) {
  const said = typeof content === 'string' ? content : JSON.stringify(content ?? '');
  return `${said} ${(tool_calls ?? []).map((call) => call.function?.arguments ?? '').join(' ')}`;
}

/** @param {string} text @returns {Set<string>} */
const quotable = (text) => new Set(text.match(QUOTABLE) ?? []);

/**
 * Results that only this rule replaces: index and request.
 * @param {Message[]} messages
 * @param {string} rule
 */
function foundBy(messages, rule) {
  const [usual, more] = [{}, { [rule]: true }].map((stale) => new ContextView({ price: 'none', stale }));
  /** @type {Map<number, number>} */
  const found = new Map();
  /** @type {Set<number>} */
  const usualToo = new Set();
  let now = 0;
  messages.forEach((message, at) => {
    if (message.role !== 'assistant' && at < messages.length - 1) return;
    const stored = messages.slice(0, at);
    now = Math.max(now + 1000, /** @type {any} */ (stored.at(-1))?.timestamp ?? 0);
    for (const index of usual.project(stored, { now }).report.indices) usualToo.add(index);
    for (const index of more.project(stored, { now }).report.indices) {
      if (!usualToo.has(index) && !found.has(index)) found.set(index, at);
    }
  });
  return found;
}

/**
 * True if a later assistant message contains words that, of what was still sent, only this result had.
 * @param {Message[]} messages
 * @param {number} index of the result
 * @param {number} request number of messages when it was replaced
 */
function isNeeded(messages, index, request) {
  const own = quotable(textOf(/** @type {Message} */ (messages[index])));
  messages.slice(0, request).forEach((message, at) => {
    if (at !== index) for (const word of quotable(textOf(message))) own.delete(word);
  });
  for (const message of messages.slice(request)) {
    if (own.size === 0) return false;
    const words = quotable(textOf(message));
    if (message.role === 'assistant') for (const word of words) if (own.has(word)) return true;
    // These words now also occur elsewhere.
    for (const word of words) own.delete(word);
  }
  return false;
}

function run() {
  const { sessions } = loadCorpus();
  const rows = RULES.map((rule) => {
    let [results, units, needed] = [0, 0, 0];
    for (const { messages } of sessions) {
      for (const [index, request] of foundBy(messages, rule)) {
        results++;
        units += textOf(messages[index]).length;
        if (isNeeded(messages, index, request)) needed++;
      }
    }
    return { rule, results, tokens: Math.round(units / 4), needed, rate: results === 0 ? 0 : needed / results };
  });
  return { sessions: sessions.length, rows };
}

/** @param {ReturnType<typeof run>} figures */
function table({ sessions, rows }) {
  const lines = rows.map(({ rule, results, tokens, needed, rate }) => {
    return `| \`${rule}\` | ${results} | ${tokens} | ${needed} | ${(100 * rate).toFixed(1)} % |`;
  });
  return [
    `${sessions} recorded sessions`,
    '',
    '| rule | results | tokens (units / 4) | still needed | share |',
    '| --- | --: | --: | --: | --: |',
    ...lines,
  ].join('\n');
}

process.stdout.write(`${table(run())}\n`);
