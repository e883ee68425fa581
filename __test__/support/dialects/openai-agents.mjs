// @ts-check
/** Items of `@openai/agents`: like Responses items, with other names. Instructions aren't items. */
import { signatureOf } from '../providers/signatures.mjs';

export const system = () => [];

const parts = (/** @type {string[]} */ texts, /** @type {string} */ type) => texts.map((text) => ({ type, text }));

/** @param {string[]} texts */
export const user = (texts) => [
  { type: 'message', role: 'user', content: texts.length === 1 ? texts[0] : parts(texts, 'input_text') },
];

/** @param {import('../neutral-sessions.mjs').Step} step */
export const assistant = ({ place, reasoning, texts, calls }) => {
  const content = parts(texts, 'output_text');
  const message = { type: 'message', role: 'assistant', id: `msg_${place}`, status: 'completed', content };
  const callItems = calls.map(({ id, name, input }) => ({
    type: 'function_call',
    id: `fc_${id}`,
    callId: id,
    name,
    arguments: JSON.stringify(input),
    status: 'completed',
  }));
  const [first, ...others] = [...(texts.length === 0 ? [] : [message]), ...callItems];
  if (reasoning === null || first === undefined) return first === undefined ? [] : [first, ...others];
  const id = `rs_${place}`;
  const providerData = { encryptedContent: signatureOf(reasoning) };
  return [
    { type: 'reasoning', id, content: parts([reasoning], 'input_text'), providerData },
    { ...first, id: `${first.id}_after_${id}` },
    ...others,
  ];
};

/** @param {import('../neutral-sessions.mjs').Outcome} outcome */
function output({ texts, image }) {
  if (texts.length === 1 && image === null) return { type: 'text', text: texts[0] };
  const url = image && `data:${image.mediaType};base64,${image.data}`;
  return [...parts(texts, 'input_text'), ...(url === null ? [] : [{ type: 'input_image', image: url }])];
}

/** @param {import('../neutral-sessions.mjs').Call[]} calls with outcomes @param {object} time */
export const results = (calls, time) =>
  calls.map(({ id, name, outcome }) => ({
    type: 'function_call_result',
    callId: id,
    name,
    status: outcome?.isFailed ? 'incomplete' : 'completed',
    output: outcome && output(outcome),
    ...time,
  }));

/** @param {any} item @returns {{ id: string, part: any }[]} */
export const resultsOf = (item) => (item.type === 'function_call_result' ? [{ id: item.callId, part: item }] : []);
/** @param {any} item @returns {string[]} */
export const callsOf = (item) => (item.type === 'function_call' ? [item.callId] : []);
/** @param {any} item */
export const outputOf = (item) => item.output;
/** @param {any} item part of a copied message @param {string} text */
export const replaceOutput = (item, text) => {
  item.output = { type: 'text', text };
};
