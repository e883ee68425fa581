// @ts-check
/** Gemini's `Content`: the results of a step are parts of one content, which also contains the next user message. */
import { signedText } from '../providers/gemini.mjs';
import { signatureOf } from '../providers/signatures.mjs';

export const system = () => [];

/** @param {string[]} texts */
export const user = (texts) => [{ role: 'user', parts: texts.map((text) => ({ text })) }];

/** Merges consecutive contents with the same role. @param {any[]} contents @param {any[]} next @returns {any[]} */
export function joined(contents, next) {
  const all = [...contents];
  for (const content of next) {
    const last = all.at(-1);
    if (last?.role !== content.role) all.push(content);
    else all.splice(-1, 1, { ...last, ...content, parts: [...last.parts, ...content.parts] });
  }
  return all;
}

/** @param {import('../neutral-sessions.mjs').Step} step */
export const assistant = ({ reasoning, texts, calls }) => {
  const callParts = calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } }));
  const [first, ...others] = callParts;
  return [
    {
      role: 'model',
      parts: [
        ...(reasoning === null ? [] : [{ text: reasoning, thought: true }]),
        ...texts.map((text) => ({ text })),
        ...(first === undefined ? [] : [{ ...first, thoughtSignature: signatureOf(signedText(first)) }, ...others]),
      ],
    },
  ];
};

/** @param {import('../neutral-sessions.mjs').Outcome} outcome */
function response({ texts, image, isFailed }) {
  const inlineData = image && { mimeType: image.mediaType, data: image.data };
  return {
    response: { [isFailed ? 'error' : 'output']: texts.join('\n') },
    ...(inlineData !== null && { parts: [{ inlineData }] }),
  };
}

/** @param {import('../neutral-sessions.mjs').Call[]} calls with outcomes @param {object} time */
export const results = (calls, time) =>
  calls.length === 0
    ? []
    : [
        {
          role: 'user',
          parts: calls.map(({ id, name, outcome }) => ({
            functionResponse: { id, name, ...(outcome && response(outcome)) },
          })),
          ...time,
        },
      ];

const withoutIds = (/** @type {any} */ content) => ({
  ...content,
  parts: content.parts.map((/** @type {any} */ part) => {
    const field = ['functionCall', 'functionResponse'].find((each) => part[each] !== undefined);
    if (field === undefined) return part;
    const { id: _, ...fields } = part[field];
    return { ...part, [field]: fields };
  }),
});

/** The form for models before Gemini 3: calls are identified only by order and name. */
export const withoutCallIds = {
  assistant: (/** @type {import('../neutral-sessions.mjs').Step} */ step) => assistant(step).map(withoutIds),
  results: (/** @type {import('../neutral-sessions.mjs').Call[]} */ calls, /** @type {object} */ time) =>
    results(calls, time).map(withoutIds),
};

const holding = (/** @type {any} */ content, /** @type {string} */ field) =>
  content.parts.filter((/** @type {any} */ part) => part[field] !== undefined);

/** @param {any} content @returns {{ id: string | undefined, part: any }[]} */
export const resultsOf = (content) =>
  holding(content, 'functionResponse').map((/** @type {any} */ part) => ({ id: part.functionResponse.id, part }));
/** @param {any} content @returns {(string | undefined)[]} */
export const callsOf = (content) =>
  holding(content, 'functionCall').map((/** @type {any} */ { functionCall }) => functionCall.id);
/** @param {any} part */
export const outputOf = ({ functionResponse: { response: output, parts } }) => ({ output, parts });
/** @param {any} part part of a copied message @param {string} text */
export const replaceOutput = ({ functionResponse }, text) => {
  functionResponse.response = { ['error' in functionResponse.response ? 'error' : 'output']: text };
  delete functionResponse.parts;
};
