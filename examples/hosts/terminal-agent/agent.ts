import type { ChatMessage } from './chatMessage.js';
import {
  cleanOrphanedToolCalls,
  simplifyHistoricalFileReads,
  simplifyOutdatedTerminalResults,
} from './messageCleanup.js';
import { chat } from './provider.js';
import { runTool } from './tools.js';

/** Runs until the model calls no more tools. `append` stores a message; stored messages are never sent unchanged. */
export async function runTurns(
  url: string,
  stored: ChatMessage[],
  append: (message: ChatMessage) => void,
): Promise<void> {
  for (;;) {
    const api = [...stored];
    cleanOrphanedToolCalls(api);
    simplifyOutdatedTerminalResults(api);
    simplifyHistoricalFileReads(api);
    const answer = await chat(url, api);
    append(answer);
    for (const call of answer.tool_calls ?? []) {
      append({ role: 'tool', tool_call_id: call.id, content: runTool(call), messageStatus: 'success' });
    }
    if (answer.tool_calls === undefined) return;
  }
}
