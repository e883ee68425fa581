// @ts-check
/** Old tool results that rules replace, the texts of their replacements, and drop-in functions applied to copies. */
import { cleanOrphanedToolCalls, simplifyOutdatedTerminalResults } from 'palimpsest';

export const NOW = 1_800_000_000_000;
export const HOUR = 3_600_000;
export const TERMINAL_PLACEHOLDER = '此命令返回内容已过时';
export const READ_PLACEHOLDER = '[该文件的历史读取内容已压缩,请参看最新读取结果]';
export const SUCCESS = JSON.stringify({ stdout: 'built', stderr: '', exitCode: 0 });

/** @typedef {any} Untyped */

/**
 * An old terminal result that rules would replace: its call, and the result with `fields` added.
 * @param {string} id
 * @param {object} [fields]
 */
export function oldTerminalResult(id, fields) {
  return [
    { role: 'assistant', content: '', tool_calls: [{ id, function: { name: 'bash', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: id, content: SUCCESS, timestamp: NOW - HOUR, ...fields },
  ];
}

/** Options with which `prepareMessages` produces the same text as the drop-in functions. */
export const IN_CHINESE = /** @type {const} */ ({ placeholderLanguage: 'zh', now: NOW });

/** An assistant message after results, which shows that the model has seen them. */
export const ANSWER = { role: 'assistant', content: 'Done.' };

/** Five newer results, so that no older result is protected as recent. */
export function fiveNewer() {
  return Array.from({ length: 5 }, (_, index) => ({ role: 'tool', content: `newer ${index}`, timestamp: NOW - index }));
}

/** The message after `simplifyOutdatedTerminalResults`, as an old terminal result. @param {Untyped} message */
export function simplifiedMessage(message) {
  const [call] = oldTerminalResult('tested');
  const messages = [call, message, ...fiveNewer()];
  simplifyOutdatedTerminalResults(messages, { now: NOW });
  return messages[1];
}

/** A copy of the array after `cleanOrphanedToolCalls`. @param {readonly Untyped[]} messages @returns {Untyped[]} */
export function withoutOrphans(messages) {
  const api = [...messages];
  cleanOrphanedToolCalls(api);
  return api;
}
