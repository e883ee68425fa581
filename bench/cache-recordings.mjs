// @ts-check
/**
 * Full sessions of real agents, if their files are simple to read. Each compaction starts a new conversation. Like the
 * corpus they are outside the repository.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../shared/recordings/', import.meta.url));

/** Sessions that the corpus contains, message by message. */
const IN_THE_CORPUS = new Set(['entire-17_55e38d324c_0.jsonl', 'pi-large-session-2025-11-20.jsonl']);
/** Marks the end of one conversation and the start of the next. */
const COMPACTION = Symbol('compaction');

/** Skips invalid lines: a line may contain two objects. @param {string} text @returns {any[]} */
export function linesOf(text) {
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}

/** Each block of an assistant message has its own line, with tool results in between. @param {string} text @returns {any[]} */
function claudeCode(text) {
  /** @type {any[]} */ const messages = [];
  const answers = new Map();
  for (const { type, subtype, message, isSidechain, timestamp } of linesOf(text)) {
    if (subtype === 'compact_boundary') messages.push(COMPACTION);
    if (isSidechain || !(type === 'user' || type === 'assistant') || message?.model === '<synthetic>') continue;
    const at = Date.parse(timestamp);
    if (type === 'assistant') {
      const known = answers.get(message.id);
      if (known !== undefined) known.content.push(...message.content);
      else {
        const answer = { role: 'assistant', content: [...message.content], timestamp: at };
        answers.set(message.id, answer);
        messages.push(answer);
      }
    } else messages.push({ role: 'user', content: message.content, timestamp: at });
  }
  return messages;
}

/** Consecutive calls are parallel. @param {string} text @returns {any[]} */
function codex(text) {
  /** @type {any[]} */ const messages = [];
  for (const { type, payload, timestamp } of linesOf(text)) {
    if (type === 'compacted') messages.push(COMPACTION);
    if (type !== 'response_item') continue;
    const at = Date.parse(timestamp);
    const last = messages.at(-1);
    const joins = last?.role === 'assistant' && payload.type !== 'message';
    if (/call_output$/.test(payload.type)) {
      messages.push({ role: 'tool', tool_call_id: payload.call_id, content: textOf(payload.output), timestamp: at });
    } else if (/^(function|custom_tool)_call$/.test(payload.type)) {
      const { call_id: id, name, arguments: given, input } = payload;
      const call = { id, type: 'function', function: { name, arguments: given ?? JSON.stringify({ input }) } };
      if (joins) last.tool_calls = [...(last.tool_calls ?? []), call];
      else messages.push({ role: 'assistant', content: null, tool_calls: [call], timestamp: at });
    } else if (payload.type === 'message') {
      const role = payload.role === 'developer' ? 'system' : payload.role;
      messages.push({ role, content: textOf(payload.content), timestamp: at });
    }
  }
  return messages;
}

/** @param {unknown} content @returns {string} */
function textOf(content) {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return JSON.stringify(content ?? '');
  return content.map((part) => part.text ?? '').join('\n');
}

/** @param {string} text @returns {any[]} */
function pi(text) {
  return linesOf(text).flatMap(({ type, message, timestamp }) => {
    if (type === 'compaction') return [COMPACTION];
    if (type !== 'message') return [];
    return [{ ...message, timestamp: message.timestamp ?? Date.parse(timestamp) }];
  });
}

const READERS = { 'claude-code': claudeCode, codex, pi };

/** @returns {{ name: string, messages: any[] }[]} empty if there are no recordings */
export function loadRecordings() {
  if (!existsSync(FOLDER)) return [];
  return Object.entries(READERS).flatMap(([agent, read]) =>
    readdirSync(FOLDER + agent)
      .sort()
      .filter((file) => !IN_THE_CORPUS.has(file))
      .flatMap((file) => {
        const conversations = split(read(readFileSync(`${FOLDER}${agent}/${file}`, 'utf8')));
        return conversations.map((messages, part) => ({
          name: `${agent}/${file.replace(/\..*$/, '')}#${part}`,
          messages,
        }));
      }),
  );
}

/** @param {readonly any[]} messages */
function split(messages) {
  /** @type {any[][]} */ const conversations = [[]];
  for (const message of messages) {
    if (message === COMPACTION) conversations.push([]);
    else conversations.at(-1)?.push(message);
  }
  return conversations.filter((conversation) => conversation.some(({ role }) => role === 'assistant'));
}
