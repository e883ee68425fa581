// @ts-check
/** OpenAI's chat messages, with fields that applications add: `timestamp`, `messageStatus`, `reasoning_content`, `images`. */

/** @typedef {import('../neutral-sessions.mjs').Call} Call */

const contentOf = (/** @type {string[]} */ texts) =>
  texts.length === 1 ? texts[0] : texts.map((text) => ({ type: 'text', text }));

/** @param {string} text */
export const system = (text) => [{ role: 'system', content: text }];

/** @param {string[]} texts */
export const user = (texts) => [{ role: 'user', content: contentOf(texts) }];

/** @param {import('../neutral-sessions.mjs').Step} step */
export const assistant = ({ reasoning, texts, calls }) => [
  {
    role: 'assistant',
    content: texts.length === 0 ? '' : contentOf(texts),
    ...(reasoning !== null && { reasoning_content: reasoning }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, input }) => ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(input) },
      })),
    }),
  },
];

/** @param {Call[]} calls with outcomes @param {object} time */
export const results = (calls, time) =>
  calls.map(({ id, outcome }) => ({
    role: 'tool',
    tool_call_id: id,
    content: contentOf(outcome?.texts ?? []),
    ...(outcome?.isFailed && { messageStatus: 'error' }),
    ...(outcome?.image && { images: [{ type: 'image', data: outcome.image.data, mimeType: outcome.image.mediaType }] }),
    ...time,
  }));

/** @param {any} message @returns {{ id: string, part: any }[]} */
export const resultsOf = (message) => (message.role === 'tool' ? [{ id: message.tool_call_id, part: message }] : []);
/** @param {any} message @returns {string[]} */
export const callsOf = (message) => (message.tool_calls ?? []).map((/** @type {any} */ { id }) => id);
/** @param {any} part */
export const outputOf = ({ content }) => content;
/** @param {any} part part of a copied message @param {string} text */
export const replaceOutput = (part, text) => {
  part.content = text;
};
