// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import { AutoCompressionManager } from './auto-compression-manager.mjs';

export class ConversationManager {
  /** @param {any} configService @param {any} llmClient @param {any} logger */
  constructor(configService, llmClient, logger) {
    this.model = configService.get('model');
    this.llmClient = llmClient;
    this.compression = new AutoCompressionManager(configService, llmClient, logger);
  }

  /** Gets one assistant message and stores it with its usage. @param {any} conversation @param {AbortSignal} [abortSignal] */
  async ask(conversation, abortSignal) {
    const { messages } = conversation;
    await this.compression.process(messages);
    abortSignal?.throwIfAborted();
    const answer = await this.llmClient.call({ model: this.model, messages, abortSignal });
    const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = answer.usage;
    messages.push({ ...answer.choices[0].message, timestamp: Date.now(), _usage: { promptTokens, completionTokens } });
    this.save(conversation);
    return messages.at(-1);
  }

  /** @param {any} conversation */
  save({ path, messages }) {
    writeFileSync(path, JSON.stringify(messages));
  }

  /** @param {string} path @returns {any} */
  load(path) {
    return { path, messages: JSON.parse(readFileSync(path, 'utf8')) };
  }
}
