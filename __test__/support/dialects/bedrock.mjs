// @ts-check
/** Bedrock's Converse: blocks without a type, alternating roles, and a cache point after every third step's results. */
import { signatureOf } from '../providers/signatures.mjs';

const block = (/** @type {string} */ text) => ({ text });

export const system = () => [];

/** @param {string[]} texts */
export const user = (texts) => [{ role: 'user', content: texts.map(block) }];

/** Merges consecutive messages with the same role. @param {any[]} messages @param {any[]} next @returns {any[]} */
export function joined(messages, next) {
  const all = [...messages];
  for (const message of next) {
    const last = all.at(-1);
    if (last?.role !== message.role) all.push(message);
    else all.splice(-1, 1, { ...last, ...message, content: [...last.content, ...message.content] });
  }
  return all;
}

/** @param {import('../neutral-sessions.mjs').Step} step */
export const assistant = ({ reasoning, texts, calls }) => [
  {
    role: 'assistant',
    content: [
      ...(reasoning === null
        ? []
        : [{ reasoningContent: { reasoningText: { text: reasoning, signature: signatureOf(reasoning) } } }]),
      ...texts.map(block),
      ...calls.map(({ id, name, input }) => ({ toolUse: { toolUseId: id, name, input } })),
    ],
  },
];

/** @param {import('../neutral-sessions.mjs').Outcome} outcome */
function content({ texts, image }) {
  const format = image?.mediaType.split('/')[1];
  return [...texts.map(block), ...(image === null ? [] : [{ image: { format, source: { bytes: image.data } } }])];
}

/** @param {import('../neutral-sessions.mjs').Call[]} calls with outcomes @param {object} time */
export const results = (calls, time) =>
  calls.length === 0
    ? []
    : [
        {
          role: 'user',
          content: [
            ...calls.map(({ id, outcome }) => ({
              toolResult: {
                toolUseId: id,
                content: outcome && content(outcome),
                ...(outcome?.isFailed && { status: 'error' }),
              },
            })),
            ...(calls.length === 3 ? [{ cachePoint: { type: 'default' } }] : []),
          ],
          ...time,
        },
      ];

const holding = (/** @type {any} */ message, /** @type {string} */ field) =>
  message.content.filter((/** @type {any} */ each) => each[field] !== undefined);

/** @param {any} message @returns {{ id: string, part: any }[]} */
export const resultsOf = (message) =>
  holding(message, 'toolResult').map((/** @type {any} */ part) => ({ id: part.toolResult.toolUseId, part }));
/** @param {any} message @returns {string[]} */
export const callsOf = (message) =>
  holding(message, 'toolUse').map((/** @type {any} */ { toolUse }) => toolUse.toolUseId);
/** @param {any} part */
export const outputOf = ({ toolResult }) => toolResult.content;
/** @param {any} part part of a copied message @param {string} text */
export const replaceOutput = ({ toolResult }, text) => {
  toolResult.content = [{ text }];
};
