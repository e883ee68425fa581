// @ts-check
/** Models with invalid replies. Each has its own name, so that a finding shows which one it was. */
import { setTimeout as wait } from 'node:timers/promises';
import { REPLIES, SUMMARY } from '../__test__/support/scripted-llm.mjs';
import { revoked } from './hostile-values.mjs';

const never = () => new Promise(() => {});

/** @param {any} parameters @param {() => unknown} answer reply after the caller aborted */
const onAbort = ({ signal }, answer) =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => {
      try {
        resolve(answer());
      } catch (error) {
        reject(error);
      }
    });
  });

/** @param {any} parameters */
const promptOf = ({ messages }) => messages.map((/** @type {any} */ { content }) => content).join('\n');

/** An object whose properties all throw when read. */
const unreadable = () =>
  new Proxy(
    {},
    {
      get(_, key) {
        // Resolving a promise reads `then`.
        if (key === 'then') return undefined;
        throw new Error('unreadable');
      },
    },
  );

const cyclic = () => {
  /** @type {any} */
  const answer = { content: [] };
  answer.content.push(answer, answer.content);
  return answer;
};

/** @param {unknown} reason */
const rejects = (reason) => () => Promise.reject(reason);

/** @type {Record<string, (parameters: any) => unknown>} */
export const MODELS = {
  ...REPLIES,
  hangs: never,
  hangsUntilAborted: (parameters) =>
    onAbort(parameters, () => {
      throw parameters.signal.reason;
    }),
  answersWhenAborted: (parameters) => onAbort(parameters, () => SUMMARY),
  answersLate: async () => {
    await wait(60);
    return SUMMARY;
  },
  quotesThePrompt: (parameters) => promptOf(parameters),
  failsWithThePrompt: (parameters) => Promise.reject(new Error(promptOf(parameters))),
  failsWithThePromptAsCode: (parameters) =>
    Promise.reject(Object.assign(new Error('failed'), { code: promptOf(parameters), name: promptOf(parameters) })),
  failsWithThePromptAsRequestId: (parameters) =>
    Promise.reject(
      Object.assign(new Error('failed'), { status: 500, requestId: promptOf(parameters), type: promptOf(parameters) }),
    ),
  namesItselfAsThePrompt: (parameters) => ({ content: SUMMARY, model: promptOf(parameters), id: promptOf(parameters) }),
  finishesAsThePrompt: (parameters) => ({ content: SUMMARY, finish_reason: promptOf(parameters) }),
  rejectsWithNull: rejects(null),
  rejectsWithNumber: rejects(7),
  rejectsWithSymbol: rejects(Symbol('failed')),
  rejectsWithBigint: rejects(7n),
  rejectsWithNullPrototype: rejects(Object.create(null)),
  rejectsUnreadable: () => Promise.reject(unreadable()),
  rejectsRevoked: () => Promise.reject(revoked({})),
  rejectsWithOddCode: rejects(Object.assign(new Error('odd'), { code: Object.create(null) })),
  rejectsWithSymbolCode: rejects(Object.assign(new Error('odd'), { code: Symbol('code') })),
  unreadable,
  revokedContent: () => ({ content: revoked({}) }),
  throwingContent: () => ({
    get content() {
      throw new Error('content');
    },
  }),
  throwingThen: () => ({
    // biome-ignore lint/suspicious/noThenProperty: a thenable that fails
    get then() {
      throw new Error('then');
    },
  }),
  neverThen: () => ({
    // biome-ignore lint/suspicious/noThenProperty: a thenable that never settles
    then() {},
  }),
  cyclic,
  symbol: () => Symbol('answer'),
  bigint: () => 7n,
  function: () => () => SUMMARY,
  sparse: () => ({ content: new Array(2 ** 32 - 1) }),
  manyParts: () => ({ content: Array.from({ length: 50_000 }, () => ({ type: 'text', text: 'x' })) }),
  oddUsage: () => ({ content: SUMMARY, usage: { prompt_tokens: -1, completion_tokens: Number.NaN } }),
  loneSurrogates: () => `${SUMMARY}\n\ud800 \0 \udfff`,
  printsItself: () => '[object Object]',
  undefinedText: () => 'undefined',
  apology: () => '<html><body><h1>502 Bad Gateway</h1></body></html>',
  chineseRefusal: () => '抱歉，我无法协助完成这个请求。',
  emptyHeadings: () => '## Goal\n## Decisions\n## Done\n## Open\n## Files\n## Failed attempts',
  proto: () => JSON.parse('{"__proto__": {"content": "polluted"}, "constructor": 1}'),
  toPrimitive: () => ({ content: { [Symbol.toPrimitive]: () => SUMMARY } }),
};
