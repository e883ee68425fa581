import { writeFileSync } from 'node:fs';
import { runTurns } from './agent.js';
import type { ChatMessage } from './chatMessage.js';

/** Takes a model's URL. Writes the saved session, and the original of every message. */
const stored: ChatMessage[] = [];
const said: ChatMessage[] = [];
// A long afternoon with three minutes between messages.
let clock = Date.now() - 5 * 60 * 60 * 1000;

function append(message: ChatMessage): void {
  clock += 3 * 60 * 1000;
  const kept: ChatMessage = { ...message, timestamp: clock, editorContext: { activeFile: 'src/main.ts' } };
  stored.push(kept);
  said.push(structuredClone(kept));
}

append({ role: 'system', content: 'You are a coding agent.' });
append({ role: 'user', content: 'Find out why the build fails.' });
// The user interrupted this call with Escape, so it has no result.
const call = { name: 'terminal-execute', arguments: '{"command":"sleep 600"}' };
append({ role: 'assistant', content: '', tool_calls: [{ id: 'call_0', type: 'function', function: call }] });
append({ role: 'user', content: 'Not that. Read the sources.' });
await runTurns(process.argv[2] ?? '', stored, append);
writeFileSync('session.json', JSON.stringify(stored));
writeFileSync('said.json', JSON.stringify(said));
