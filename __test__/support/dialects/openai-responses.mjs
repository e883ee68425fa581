// @ts-check
/** OpenAI's Responses items, as an application receives and returns them: each call, result and reasoning is an item. */
import { signatureOf } from '../providers/signatures.mjs';

/** @param {string} text */
export const system = (text) => [{ role: 'developer', content: text }];

const parts = (/** @type {string[]} */ texts, /** @type {string} */ type) => texts.map((text) => ({ type, text }));

/** @param {string[]} texts */
export const user = (texts) => [
  { type: 'message', role: 'user', content: texts.length === 1 ? texts[0] : parts(texts, 'input_text') },
];

const reasoningItem = (/** @type {string} */ id, /** @type {string} */ text) => ({
  type: 'reasoning',
  id,
  summary: [{ type: 'summary_text', text }],
  encrypted_content: signatureOf(text),
});

/** @param {import('../neutral-sessions.mjs').Step} step */
export const assistant = ({ place, reasoning, texts, calls }) => {
  const message = {
    type: 'message',
    role: 'assistant',
    id: `msg_${place}`,
    status: 'completed',
    content: texts.map((text) => ({ type: 'output_text', text, annotations: [] })),
  };
  const callItems = calls.map(({ id, name, input }) => ({
    type: 'function_call',
    id: `fc_${id}`,
    call_id: id,
    name,
    arguments: JSON.stringify(input),
    status: 'completed',
  }));
  const [first, ...others] = [...(texts.length === 0 ? [] : [message]), ...callItems];
  if (reasoning === null || first === undefined) return first === undefined ? [] : [first, ...others];
  const rs = `rs_${place}`;
  return [reasoningItem(rs, reasoning), { ...first, id: `${first.id}_after_${rs}` }, ...others];
};

/** @param {import('../neutral-sessions.mjs').Outcome} outcome */
function output({ texts, image }) {
  if (texts.length === 1 && image === null) return texts[0];
  const url = image && `data:${image.mediaType};base64,${image.data}`;
  return [
    ...parts(texts, 'input_text'),
    ...(url === null ? [] : [{ type: 'input_image', image_url: url, detail: 'auto' }]),
  ];
}

/** @param {import('../neutral-sessions.mjs').Call[]} calls with outcomes @param {object} time */
export const results = (calls, time) =>
  calls.map(({ id, outcome }) => ({
    type: 'function_call_output',
    call_id: id,
    output: outcome && output(outcome),
    ...(outcome?.isFailed && { status: 'incomplete' }),
    ...time,
  }));

/** @param {any} item @returns {{ id: string, part: any }[]} */
export const resultsOf = (item) => (item.type === 'function_call_output' ? [{ id: item.call_id, part: item }] : []);
/** @param {any} item @returns {string[]} */
export const callsOf = (item) => (item.type === 'function_call' ? [item.call_id] : []);
/** @param {any} item */
export const outputOf = (item) => item.output;
/** @param {any} item part of a copied message @param {string} text */
export const replaceOutput = (item, text) => {
  item.output = text;
};
