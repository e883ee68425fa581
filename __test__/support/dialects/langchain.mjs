// @ts-check
/** LangChain's messages, as instances of its classes and as the JSON in which they are stored. */
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { read } from '../providers/langchain.mjs';
import { signatureOf } from '../providers/signatures.mjs';

const blocks = (/** @type {string[]} */ texts) => texts.map((text) => ({ type: /** @type {const} */ ('text'), text }));
const contentOf = (/** @type {string[]} */ texts) => (texts.length === 1 ? (texts[0] ?? '') : blocks(texts));

/** @param {string} text @returns {any[]} */
export const system = (text) => [new SystemMessage(text)];

/** @param {string[]} texts @returns {any[]} */
export const user = (texts) => [new HumanMessage({ content: contentOf(texts) })];

/** @param {import('../neutral-sessions.mjs').Step} step @returns {any[]} */
export const assistant = ({ reasoning, texts, calls }) => {
  const thinking = { type: 'thinking', thinking: reasoning, signature: signatureOf(reasoning ?? '') };
  return [
    new AIMessage({
      content: reasoning === null ? (texts.length === 0 ? '' : contentOf(texts)) : [thinking, ...blocks(texts)],
      tool_calls: calls.map(({ id, name, input }) => ({ id, name, args: input, type: 'tool_call' })),
    }),
  ];
};

/** @param {import('../neutral-sessions.mjs').Outcome} outcome */
function content({ texts, image }) {
  if (image === null) return contentOf(texts);
  const url = `data:${image.mediaType};base64,${image.data}`;
  return [...blocks(texts), { type: 'image_url', image_url: { url } }];
}

/** @param {import('../neutral-sessions.mjs').Call[]} calls with outcomes @param {object} time @returns {any[]} */
export const results = (calls, time) =>
  calls.map(
    ({ id, name, outcome }) =>
      new ToolMessage({
        tool_call_id: id,
        name,
        content: /** @type {any} */ (outcome && content(outcome)),
        status: outcome?.isFailed ? 'error' : 'success',
        additional_kwargs: /** @type {any} */ (time),
      }),
  );

const json = (/** @type {any[]} */ messages) => JSON.parse(JSON.stringify(messages));

/** The stored form of threads: `{lc: 1, type: 'constructor', …}`. */
export const serialized = {
  system: (/** @type {string} */ text) => json(system(text)),
  user: (/** @type {string[]} */ texts) => json(user(texts)),
  assistant: (/** @type {import('../neutral-sessions.mjs').Step} */ step) => json(assistant(step)),
  results: (/** @type {import('../neutral-sessions.mjs').Call[]} */ calls, /** @type {object} */ time) =>
    json(results(calls, time)),
};

const fieldsOf = (/** @type {any} */ message) => read(message)?.fields;

/** @param {any} message @returns {{ id: string, part: any }[]} */
export const resultsOf = (message) =>
  read(message)?.type === 'tool' ? [{ id: fieldsOf(message).tool_call_id, part: message }] : [];
/** @param {any} message @returns {string[]} */
export const callsOf = (message) => (fieldsOf(message)?.tool_calls ?? []).map((/** @type {any} */ { id }) => id);
/** @param {any} message */
export const outputOf = (message) => fieldsOf(message).content;
/** @param {any} message a copy @param {string} text */
export const replaceOutput = (message, text) => {
  fieldsOf(message).content = text;
};
/** A copy of an instance must be an instance. @param {any} message */
export const copied = (message) =>
  typeof message._getType === 'function'
    ? Object.assign(Object.create(Object.getPrototypeOf(message)), message)
    : structuredClone(message);
