// @ts-check
/**
 * Recordings of real agents as OpenAI chat messages, reduced to pairs of calls and results: texts, usage and branches
 * are ignored. Like the corpus they are outside the repository.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { linesOf } from '../../bench/cache-recordings.mjs';

const FOLDER = fileURLToPath(new URL('../../../shared/recordings/', import.meta.url));

const call = (/** @type {string} */ id, name, args) => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(args ?? {}) },
});
const result = (/** @type {string} */ id, content) => ({ role: 'tool', tool_call_id: id, content });

/**
 * Each block of an assistant message has its own line, with results in between. A resumed session repeats records under
 * the same `uuid`.
 * @param {string} text
 */
function claudeCode(text) {
  /** @type {any[]} */ const messages = [];
  const answers = new Map();
  const seen = new Set();
  for (const { uuid, message, isSidechain } of linesOf(text)) {
    if (isSidechain || seen.has(uuid) || !Array.isArray(message?.content)) continue;
    seen.add(uuid);
    for (const block of message.content) {
      if (block.type === 'tool_result') messages.push(result(block.tool_use_id, ''));
      else if (block.type === 'tool_use') {
        const known = answers.get(message.id);
        if (known === undefined) {
          answers.set(message.id, { role: 'assistant', tool_calls: [call(block.id, block.name, block.input)] });
          messages.push(answers.get(message.id));
        } else known.tool_calls.push(call(block.id, block.name, block.input));
      } else if (message.role === 'user') messages.push({ role: 'user', content: 'text' });
    }
  }
  return messages;
}

/** Consecutive calls are parallel. @param {string} text */
function codex(text) {
  /** @type {any[]} */ const messages = [];
  for (const { type, payload } of linesOf(text)) {
    if (type !== 'response_item') continue;
    if (/call_output$/.test(payload.type)) messages.push(result(payload.call_id, ''));
    else if (/^(function|custom_tool)_call$/.test(payload.type)) {
      const last = messages.at(-1);
      if (last?.tool_calls) last.tool_calls.push(call(payload.call_id, payload.name, {}));
      else messages.push({ role: 'assistant', tool_calls: [call(payload.call_id, payload.name, {})] });
    } else if (payload.type === 'message') messages.push({ role: payload.role, content: 'text' });
  }
  return messages;
}

/** @param {string} text @returns {any[]} */
function pi(text) {
  return linesOf(text).flatMap(({ message }) => {
    if (message?.role === 'toolResult') return [result(message.toolCallId, '')];
    if (message?.role === 'user') return [{ role: 'user', content: 'text' }];
    if (message?.role !== 'assistant') return [];
    const calls = message.content.filter((part) => part.type === 'toolCall');
    const tool_calls = calls.map(({ id, name, arguments: args }) => call(id, name, args));
    /** @type {any} */ const answer = { role: 'assistant', content: 'text' };
    return [calls.length > 0 ? { ...answer, tool_calls } : answer];
  });
}

/** @param {string} text */
function langgraph(text) {
  return JSON.parse(text).values.messages.map(({ type, tool_calls, tool_call_id }) => {
    if (type === 'tool') return result(tool_call_id, '');
    if (type !== 'ai') return { role: type === 'system' ? 'system' : 'user', content: 'text' };
    const calls = (tool_calls ?? []).map(({ id, name, args }) => call(id, name, args));
    return { role: 'assistant', content: 'text', ...(calls.length > 0 && { tool_calls: calls }) };
  });
}

const READERS = {
  'claude-code': claudeCode,
  codex,
  langgraph,
  'openai-chat-request-logs': (/** @type {string} */ text) => JSON.parse(text).messages,
  pi,
};

/**
 * Runs `check` for each recording. Without recordings the tests are skipped locally and fail in CI.
 * @param {string} title
 * @param {(messages: any[]) => void} check
 */
export function testEachRecording(title, check) {
  const missing = existsSync(FOLDER) ? undefined : `no recordings in ${FOLDER}`;
  if (missing !== undefined) {
    const skip = process.env.CI === 'true' ? false : missing;
    test(title, { skip }, () => {
      throw new Error(`${missing}: in CI the recordings must be there`);
    });
    return;
  }
  for (const [agent, read] of Object.entries(READERS)) {
    for (const file of readdirSync(FOLDER + agent).sort()) {
      test(`${title}: ${agent}/${file}`, () => check(read(readFileSync(`${FOLDER}${agent}/${file}`, 'utf8'))));
    }
  }
}
