// @ts-check
/** Anthropic's `MessageParam`: the system prompt isn't a message, and the results of a step are blocks of one message. */
import { signatureOf } from '../providers/signatures.mjs';

const block = (/** @type {string} */ text) => ({ type: 'text', text });

export const system = () => [];

/** @param {string[]} texts */
export const user = (texts) => [{ role: 'user', content: texts.length === 1 ? texts[0] : texts.map(block) }];

/** @param {import('../neutral-sessions.mjs').Step} step */
export const assistant = ({ reasoning, texts, calls }) => [
  {
    role: 'assistant',
    content: [
      ...(reasoning === null ? [] : [{ type: 'thinking', thinking: reasoning, signature: signatureOf(reasoning) }]),
      ...texts.map(block),
      ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
    ],
  },
];

/** @param {import('../neutral-sessions.mjs').Outcome} outcome */
function content({ texts, image }) {
  if (texts.length === 1 && image === null) return texts[0];
  const source = image && { type: 'base64', media_type: image.mediaType, data: image.data };
  return [...texts.map(block), ...(source === null ? [] : [{ type: 'image', source }])];
}

/** @param {import('../neutral-sessions.mjs').Call[]} calls with outcomes @param {object} time */
export const results = (calls, time) =>
  calls.length === 0
    ? []
    : [
        {
          role: 'user',
          content: calls.map(({ id, outcome }) => ({
            type: 'tool_result',
            tool_use_id: id,
            content: outcome && content(outcome),
            ...(outcome?.isFailed && { is_error: true }),
          })),
          ...time,
        },
      ];

const blocks = (/** @type {any} */ message, /** @type {string} */ type) =>
  Array.isArray(message.content) ? message.content.filter((/** @type {any} */ each) => each.type === type) : [];

/** @param {any} message @returns {{ id: string, part: any }[]} */
export const resultsOf = (message) =>
  blocks(message, 'tool_result').map((/** @type {any} */ part) => ({ id: part.tool_use_id, part }));
/** @param {any} message @returns {string[]} */
export const callsOf = (message) => blocks(message, 'tool_use').map((/** @type {any} */ { id }) => id);
/** @param {any} part */
export const outputOf = (part) => part.content;
/** @param {any} part part of a copied message @param {string} text */
export const replaceOutput = (part, text) => {
  part.content = text;
};
