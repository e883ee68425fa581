// @ts-check
/**
 * Validates opencode's stored messages. opencode converts them for any provider, so only the rules that all APIs share
 * apply.
 *
 * - A message has `info`, with the role `user` or `assistant`, and `parts`. It isn't empty.
 * - User parts are `text`, `file` with type and address, `compaction`, `subtask`, `agent`; assistant parts are `text`,
 *   `reasoning`, `tool`, and those that are never sent: `step-start`, `step-finish`, `snapshot`, `patch`, `retry`.
 * - A tool part has a call id that is unique in its message, the tool's name, and a state with the arguments. The state
 *   is completed, with a text, or failed, with an error text.
 * - Reasoning is unchanged (`metadata.anthropic.signature`).
 */
import { isForged } from './signatures.mjs';
import { problemsBy, Validator } from './validator.mjs';

const PARTS = new Map([
  ['user', new Set(['text', 'file', 'compaction', 'subtask', 'agent'])],
  ['assistant', new Set(['text', 'reasoning', 'tool', 'step-start', 'step-finish', 'snapshot', 'patch', 'retry'])],
]);
const ENDED = new Map([
  ['completed', 'output'],
  ['error', 'error'],
]);

class Session extends Validator {
  check() {
    const { messages, isPendingAllowed } = this;
    const last = messages.length - 1;
    for (const [index, message] of messages.entries()) {
      const place = `messages[${index}]`;
      const allowed = PARTS.get(message?.info?.role);
      if (allowed === undefined) this.report(place, 'an unknown role');
      else if (!Array.isArray(message.parts)) this.report(place, 'a message without parts');
      else this.#message(place, message.parts, allowed, isPendingAllowed && index === last);
    }
    return this.problems;
  }

  /** @param {string} place @param {readonly any[]} parts @param {Set<string>} allowed @param {boolean} isPending */
  #message(place, parts, allowed, isPending) {
    if (parts.length === 0) this.report(place, 'an empty message');
    const ids = new Set();
    for (const part of parts) {
      if (!allowed.has(part?.type)) this.report(place, "a part that this role can't have");
      else if (part.type === 'tool') this.#tool(place, part, ids, isPending);
      else this.#part(place, part);
    }
  }

  /** @param {string} place @param {any} part */
  #part(place, { type, text, mime, url, metadata }) {
    if ((type === 'text' || type === 'reasoning') && typeof text !== 'string')
      this.report(place, 'a text part without text');
    if (type === 'file' && (typeof mime !== 'string' || typeof url !== 'string'))
      this.report(place, 'a file without type or address');
    const signature = type === 'reasoning' ? metadata?.anthropic?.signature : undefined;
    if (signature !== undefined && isForged(signature, text)) this.report(place, 'reasoning with a wrong signature');
  }

  /** @param {string} place @param {any} part @param {Set<string>} ids @param {boolean} isPending */
  #tool(place, { callID, tool, state }, ids, isPending) {
    if (ids.has(callID)) this.report(place, 'a duplicate call id');
    ids.add(callID);
    if (typeof callID !== 'string' || typeof tool !== 'string') this.report(place, 'a call without id or name');
    if (typeof state?.input !== 'object') this.report(place, 'a call without arguments');
    const field = ENDED.get(state?.status);
    if (field === undefined) {
      if (!isPending) this.report(place, 'a call without a result');
    } else if (typeof state[field] !== 'string') this.report(place, 'a result that is not text');
    for (const file of state?.attachments ?? []) this.#part(place, file);
  }
}

export const problemsIn = problemsBy(Session);
