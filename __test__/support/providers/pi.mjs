// @ts-check
/**
 * Validates pi's stored messages. pi converts them for any provider, so only the rules that all APIs share apply.
 *
 * - Roles are `user`, `assistant`, `toolResult`. Content is parts `text`, `thinking`, `image`, and in assistant
 *   messages `toolCall` with id, name and arguments; user content may be text.
 * - After an assistant message come the results of its calls, one each, with the tools' names, before any other
 *   message. The calls of a stopped message (`stopReason` `aborted` or `error`) may lack results: pi doesn't send them.
 * - Thinking is unchanged (`thinkingSignature`). No message is empty.
 */
import { isForged } from './signatures.mjs';
import { problemsBy, Validator } from './validator.mjs';

const PARTS = new Map([
  ['user', new Set(['text', 'image'])],
  ['assistant', new Set(['text', 'thinking', 'toolCall'])],
  ['toolResult', new Set(['text', 'image'])],
]);

class Session extends Validator {
  /** Calls of the current assistant message: tool names by id. @type {Map<string, string>} */ #open = new Map();
  #isStopped = false;

  check() {
    const { messages, isPendingAllowed } = this;
    for (const [index, message] of messages.entries()) {
      const place = `messages[${index}]`;
      const parts = PARTS.get(message?.role);
      if (parts === undefined) this.report(place, 'an unknown role');
      else this.#message(place, message, parts);
    }
    if (!isPendingAllowed) this.#missing('the end');
    return this.problems;
  }

  /** @param {string} place */
  #missing(place) {
    if (this.#open.size > 0 && !this.#isStopped) this.report(place, 'an earlier call has no result');
    this.#open.clear();
  }

  /** @param {string} place @param {any} message @param {Set<string>} allowed */
  #message(place, message, allowed) {
    const { role, content, stopReason } = message;
    if (role === 'toolResult') this.#result(place, message);
    else this.#missing(place);
    if (typeof content === 'string' && role === 'user') return;
    if (!Array.isArray(content)) return this.report(place, 'content of a wrong type');
    if (content.length === 0 && role !== 'toolResult') this.report(place, 'an empty message');
    this.#isStopped = role === 'assistant' ? ['aborted', 'error'].includes(stopReason) : this.#isStopped;
    for (const part of content) this.#part(place, part, allowed);
  }

  /** @param {string} place @param {any} part @param {Set<string>} allowed */
  #part(place, part, allowed) {
    if (!allowed.has(part?.type)) return this.report(place, "a part that this role can't have");
    if (part.type === 'text' && typeof part.text !== 'string') this.report(place, 'a text part without text');
    if (
      part.type === 'thinking' &&
      part.thinkingSignature !== undefined &&
      isForged(part.thinkingSignature, part.thinking)
    )
      this.report(place, 'thinking with a wrong signature');
    if (part.type !== 'toolCall') return;
    if (this.#open.has(part.id)) this.report(place, 'a duplicate call id');
    this.#open.set(part.id, part.name);
  }

  /** @param {string} place @param {any} message */
  #result(place, { toolCallId: id, toolName }) {
    if (!this.#open.has(id)) return this.report(place, 'a result without a call in the previous assistant message');
    if (this.#open.get(id) !== toolName) this.report(place, "a result with another tool's name");
    this.#open.delete(id);
  }
}

export const problemsIn = problemsBy(Session);
