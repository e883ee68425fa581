// @ts-check
/** Takes a model's URL. Writes the saved session, the original of every message, and a log. */
import { writeFileSync } from 'node:fs';
import { ConfigService } from './config-service.mjs';
import { ConversationManager } from './conversation-manager.mjs';
import { LlmClient } from './llm-client.mjs';
import { createLogger } from './logger.mjs';

const manager = new ConversationManager(
  new ConfigService(),
  new LlmClient(process.argv[2] ?? ''),
  createLogger('server.log'),
);
let conversation = { path: 'session.json', messages: /** @type {any[]} */ ([]) };
/** @type {any[]} */
const said = [];

/** @param {any} message */
function say(message) {
  conversation.messages.push({ ...message, timestamp: Date.now() });
  said.push(structuredClone(conversation.messages.at(-1)));
}

say({ role: 'system', content: 'You answer customers of the shop.' });
say({ role: 'user', content: 'Which orders of March were never delivered?' });
for (let turn = 1; ; turn++) {
  const answer = await manager.ask(conversation);
  said.push(structuredClone(answer));
  if (answer.tool_calls === undefined) break;
  for (const call of answer.tool_calls) {
    say({ role: 'tool', tool_call_id: call.id, content: `orders of page ${turn}: ${'4711 delivered; '.repeat(60)}` });
  }
  // The server restarts from time to time and continues with the saved session.
  if (turn % 10 === 0) {
    manager.save(conversation);
    conversation = manager.load(conversation.path);
  }
}
writeFileSync('said.json', JSON.stringify(said));
