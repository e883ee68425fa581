// @ts-check
/** Messages of the agent pi: calls are parts of the assistant message, and each result is a message. */
import { signatureOf } from '../providers/signatures.mjs';

const part = (/** @type {string} */ text) => ({ type: 'text', text });

export const system = () => [];

/** @param {string[]} texts */
export const user = (texts) => [{ role: 'user', content: texts.length === 1 ? texts[0] : texts.map(part) }];

const thinking = (/** @type {string} */ text) => ({
  type: 'thinking',
  thinking: text,
  thinkingSignature: signatureOf(text),
});

/** @param {import('../neutral-sessions.mjs').Step} step */
export const assistant = ({ reasoning, texts, calls }) => [
  {
    role: 'assistant',
    content: [
      ...(reasoning === null ? [] : [thinking(reasoning)]),
      ...texts.map(part),
      ...calls.map(({ id, name, input }) => ({ type: 'toolCall', id, name, arguments: input })),
    ],
    stopReason: calls.length === 0 ? 'stop' : 'toolUse',
  },
];

/** @param {import('../neutral-sessions.mjs').Call[]} calls with outcomes @param {object} time */
export const results = (calls, time) =>
  calls.map(({ id, name, outcome }) => ({
    role: 'toolResult',
    toolCallId: id,
    toolName: name,
    content: [
      ...(outcome?.texts ?? []).map(part),
      ...(outcome?.image ? [{ type: 'image', data: outcome.image.data, mimeType: outcome.image.mediaType }] : []),
    ],
    isError: outcome?.isFailed ?? false,
    ...time,
  }));

/** @param {any} message @returns {{ id: string, part: any }[]} */
export const resultsOf = (message) =>
  message.role === 'toolResult' ? [{ id: message.toolCallId, part: message }] : [];
/** @param {any} message @returns {string[]} */
export const callsOf = ({ role, content }) =>
  role === 'assistant' ? content.flatMap((/** @type {any} */ { type, id }) => (type === 'toolCall' ? [id] : [])) : [];
/** @param {any} message */
export const outputOf = (message) => message.content;
/** @param {any} message a copy @param {string} text */
export const replaceOutput = (message, text) => {
  message.content = [part(text)];
};
