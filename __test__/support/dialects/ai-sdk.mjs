// @ts-check
/** `ModelMessage`s of `ai`: the results of a step are parts of one tool message. */
import { signatureOf } from '../providers/signatures.mjs';

const part = (/** @type {string} */ text) => ({ type: 'text', text });

/** @param {string} text */
export const system = (text) => [{ role: 'system', content: text }];

/** @param {string[]} texts */
export const user = (texts) => [{ role: 'user', content: texts.length === 1 ? texts[0] : texts.map(part) }];

const reasoningPart = (/** @type {string} */ text) => ({
  type: 'reasoning',
  text,
  providerOptions: { anthropic: { signature: signatureOf(text) } },
});

/** @param {import('../neutral-sessions.mjs').Step} step */
export const assistant = ({ reasoning, texts, calls }) => [
  {
    role: 'assistant',
    content: [
      ...(reasoning === null ? [] : [reasoningPart(reasoning)]),
      ...texts.map(part),
      ...calls.map(({ id, name, input }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input })),
    ],
  },
];

/** @param {import('../neutral-sessions.mjs').Outcome} outcome */
function output({ texts, image, isFailed }) {
  if (isFailed) return { type: 'error-text', value: texts.join('\n') };
  if (texts.length === 1 && image === null) return { type: 'text', value: texts[0] };
  const picture = image && { type: 'file', data: { type: 'data', data: image.data }, mediaType: image.mediaType };
  return { type: 'content', value: [...texts.map(part), ...(picture === null ? [] : [picture])] };
}

/** @param {import('../neutral-sessions.mjs').Call[]} calls with outcomes @param {object} time */
export const results = (calls, time) =>
  calls.length === 0
    ? []
    : [
        {
          role: 'tool',
          content: calls.map(({ id, name, outcome }) => ({
            type: 'tool-result',
            toolCallId: id,
            toolName: name,
            output: outcome && output(outcome),
          })),
          ...time,
        },
      ];

const parts = (/** @type {any} */ message, /** @type {string} */ type) =>
  Array.isArray(message.content) ? message.content.filter((/** @type {any} */ each) => each.type === type) : [];

/** @param {any} message @returns {{ id: string, part: any }[]} */
export const resultsOf = (message) =>
  parts(message, 'tool-result').map((/** @type {any} */ each) => ({ id: each.toolCallId, part: each }));
/** @param {any} message @returns {string[]} */
export const callsOf = (message) => parts(message, 'tool-call').map((/** @type {any} */ { toolCallId }) => toolCallId);
/** @param {any} each */
export const outputOf = (each) => each.output;
/** @param {any} each part of a copied message @param {string} text */
export const replaceOutput = (each, text) => {
  each.output = { type: each.output.type.startsWith('error') ? 'error-text' : 'text', value: text };
};
