import type { ChatMessage } from './chatMessage.js';

/** The application's original clean-up. It modifies the messages in place, and so also the stored ones. */

const KEPT = 5;
const MAX_AGE_MS = 15 * 60 * 1000;

export function cleanOrphanedToolCalls(messages: ChatMessage[]): void {
  const answered = new Set(messages.map((message) => message.tool_call_id));
  const declared = new Set(messages.flatMap((message) => message.tool_calls?.map((call) => call.id) ?? []));
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]!;
    const isUnanswered = message.tool_calls?.some((call) => !answered.has(call.id)) ?? false;
    const isUndeclared = message.tool_call_id !== undefined && !declared.has(message.tool_call_id);
    if (isUnanswered || isUndeclared) messages.splice(index, 1);
  }
}

export function simplifyOutdatedTerminalResults(messages: ChatMessage[]): void {
  for (const message of newestResults(messages).slice(KEPT)) {
    const isOutdated = Date.now() - (message.timestamp ?? 0) > MAX_AGE_MS;
    if (isOutdated && message.content.includes('"stdout":')) message.content = '此命令返回内容已过时';
  }
}

export function simplifyHistoricalFileReads(messages: ChatMessage[]): void {
  const calls = new Map(messages.flatMap((message) => message.tool_calls?.map((call) => [call.id, call]) ?? []));
  const reads = new Map<string, number>();
  for (const message of newestResults(messages)) {
    const call = calls.get(message.tool_call_id ?? '');
    if (call?.function.name !== 'filesystem-read') continue;
    const { filePath } = JSON.parse(call.function.arguments) as { filePath: string };
    const count = (reads.get(filePath) ?? 0) + 1;
    reads.set(filePath, count);
    if (count > KEPT) message.content = '[该文件的历史读取内容已压缩,请参看最新读取结果]';
  }
}

function newestResults(messages: ChatMessage[]): ChatMessage[] {
  const results = messages.filter((message) => message.role === 'tool' && message.messageStatus !== 'error');
  return results.sort((one, other) => (other.timestamp ?? 0) - (one.timestamp ?? 0));
}
