// @ts-check
/** Tool results that are old enough to be simplified, and what they become. */
import { simplifyOutdatedTerminalResults } from 'palimpsest';

export const NOW = 1_800_000_000_000;
export const HOUR = 3_600_000;
export const OUTDATED = '此命令返回内容已过时';
export const OLD_READ = '[该文件的历史读取内容已压缩,请参看最新读取结果]';
export const SUCCESS = JSON.stringify({ stdout: 'built', stderr: '', exitCode: 0 });

/** @typedef {any} Odd */

/**
 * An old terminal result that would be simplified: its call, and itself with `fields` laid over.
 * @param {string} id
 * @param {object} [fields]
 */
export function oldTerminalResult(id, fields) {
  return [
    { role: 'assistant', content: '', tool_calls: [{ id, function: { name: 'bash', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: id, content: SUCCESS, timestamp: NOW - HOUR, ...fields },
  ];
}

/** What `prepareMessages` takes to write what the functions write that stand in for a host's own. */
export const IN_CHINESE = /** @type {const} */ ({ placeholderLanguage: 'zh', now: NOW });

/** Words of the model's behind results: it has seen them. */
export const ANSWER = { role: 'assistant', content: 'Done.' };

/** Five newer results, so that recency spares nothing older. */
export function fiveNewer() {
  return Array.from({ length: 5 }, (_, index) => ({ role: 'tool', content: `newer ${index}`, timestamp: NOW - index }));
}

/** @param {Odd} message */
export function simplifiedContent(message) {
  const [call] = oldTerminalResult('odd');
  const messages = [call, message, ...fiveNewer()];
  simplifyOutdatedTerminalResults(messages, { now: NOW });
  return messages[1];
}
