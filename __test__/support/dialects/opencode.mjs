// @ts-check
/** Messages of the agent opencode: a call and its result are one part. */
import { signatureOf } from '../providers/signatures.mjs';

const part = (/** @type {string} */ text) => ({ type: 'text', text });

export const system = () => [];

/** @param {string[]} texts */
export const user = (texts) => [{ info: { role: 'user' }, parts: texts.map(part) }];

const reasoning = (/** @type {string} */ text) => ({
  type: 'reasoning',
  text,
  metadata: { anthropic: { signature: signatureOf(text) } },
});

/** @param {import('../neutral-sessions.mjs').Step} step */
export const assistant = ({ reasoning: thought, texts, calls }) => [
  {
    info: { role: 'assistant' },
    parts: [
      { type: 'step-start' },
      ...(thought === null ? [] : [reasoning(thought)]),
      ...texts.map(part),
      ...calls.map(({ id, name, input }) => ({
        type: 'tool',
        callID: id,
        tool: name,
        state: { status: 'running', input },
      })),
      { type: 'step-finish', reason: calls.length === 0 ? 'stop' : 'tool-calls' },
    ],
  },
];

/** @param {any} file @returns {object} */
const attachment = ({ data, mediaType }) => ({
  type: 'file',
  mime: mediaType,
  url: `data:${mediaType};base64,${data}`,
});

/** Adds the results to the previous message's calls. @param {import('../neutral-sessions.mjs').Call[]} calls with outcomes @param {any} time */
export const results = (calls, time) =>
  calls.length === 0 ? [] : [{ outcomes: new Map(calls.map((call) => [call.id, call])), time }];

/** @param {any[]} all @param {any[]} next @returns {any[]} */
export function joined(all, next) {
  const [{ outcomes = null, time = {} } = {}] = next;
  if (outcomes === null) return [...all, ...next];
  const { info, parts } = all.at(-1);
  const { timestamp } = time;
  const times = timestamp === undefined ? {} : { time: { created: timestamp - 1, completed: timestamp } };
  const ended = (/** @type {any} */ each) =>
    outcomes.has(each.callID) ? { ...each, state: state(each.state.input, outcomes.get(each.callID).outcome) } : each;
  return [...all.slice(0, -1), { info: { ...info, ...times }, parts: parts.map(ended) }];
}

/** @param {object} input @param {import('../neutral-sessions.mjs').Outcome} outcome */
function state(input, { texts, image, isFailed }) {
  if (isFailed) return { status: 'error', input, error: texts.join('\n'), time: { start: 1, end: 2 } };
  return {
    status: 'completed',
    input,
    output: texts.join('\n'),
    title: 'done',
    metadata: {},
    time: { start: 1, end: 2 },
    ...(image !== null && { attachments: [attachment(image)] }),
  };
}

const toolsIn = (/** @type {any} */ message) => message.parts.filter((/** @type {any} */ { type }) => type === 'tool');

/** @param {any} message @returns {{ id: string, part: any }[]} */
export const resultsOf = (message) =>
  toolsIn(message).flatMap((/** @type {any} */ each) =>
    ['completed', 'error'].includes(each.state.status) ? [{ id: each.callID, part: each }] : [],
  );
/** @param {any} message @returns {string[]} */
export const callsOf = (message) => toolsIn(message).map((/** @type {any} */ { callID }) => callID);
/** @param {any} each a part of a message */
export const outputOf = ({ state: { status, output, error, attachments } }) =>
  status === 'error' ? { error } : { output, attachments };
/** @param {any} each part of a copied message @param {string} text */
export const replaceOutput = ({ state }, text) => {
  if (state.status === 'error') state.error = text;
  else {
    state.output = text;
    delete state.attachments;
  }
};
