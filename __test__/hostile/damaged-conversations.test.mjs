// @ts-check
/** Conversations as after a crash, a bad merge or a partial save: fields and messages are missing or have other values. */
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { AutoCompressionManager, ContextView, expandHistory, prepareMessages, TokenCounter } from 'palimpsest';
import { runs } from '../support/comparison.mjs';
import { convert, DIALECTS } from '../support/dialects.mjs';
import { neutralSession } from '../support/neutral-sessions.mjs';

const MISSING = Symbol('missing');
const VALUES = [
  MISSING,
  MISSING,
  null,
  undefined,
  5,
  Number.NaN,
  true,
  '',
  'x',
  {},
  [],
  [null],
  [{}],
  { type: 'text' },
];
const OLD = { terminal: { keepRecent: 0, maxAgeMs: 0 }, fileReads: { keepRecent: 0 } };
const CONFIGURATION = { autoCompressionSummaryModel: 'm', maxContextTokens: 500, autoCompressionKeepRecentCount: 2 };
const DEEPEST = 6;
const NOW = 1_780_000_000_000;

/** All fields below a value, down to a depth of six. @param {any} value @param {number} depth @returns {{ of: any, key: string }[]} */
function fields(value, depth = 0) {
  if (value === null || typeof value !== 'object' || depth > DEEPEST) return [];
  return Object.keys(value).flatMap((key) => [{ of: value, key }, ...fields(value[key], depth + 1)]);
}

const damage = fc.record({ place: fc.nat(), value: fc.constantFrom(...VALUES) });

/** @param {any[]} messages @param {{ place: number, value: unknown }} damage */
function damageField(messages, { place, value }) {
  const found = fields(messages);
  const { of, key } = found[place % found.length] ?? { of: {}, key: '' };
  if (value !== MISSING) of[key] = value;
  else if (Array.isArray(of)) of.splice(Number(key), 1);
  else delete of[key];
}

/** Calls the public functions as an application does. @param {any[]} messages @param {number} now */
async function use(messages, now) {
  prepareMessages(messages, { ...OLD, now });
  new TokenCounter().countMessages(messages);
  expandHistory(messages);
  for (const price of /** @type {const} */ (['none', 'anthropic'])) {
    const view = new ContextView({ ...OLD, price });
    for (const length of [messages.length >> 1, messages.length]) view.project(messages.slice(0, length), { now });
    ContextView.import(JSON.parse(JSON.stringify(view.export()))).project(messages, { now: now + 1 });
  }
  const compressed = [...messages];
  const manager = new AutoCompressionManager(CONFIGURATION, () => '## Goal\nGo on.');
  await manager.compress(compressed, { now });
  expandHistory(compressed);
  new ContextView().project(compressed, { now });
}

describe('R0.3 a damaged conversation is data', () => {
  for (const dialect of Object.keys(DIALECTS)) {
    test(`${dialect}: no function throws after messages and fields were removed or replaced`, async () => {
      const property = fc.asyncProperty(
        neutralSession(4),
        fc.array(fc.nat(), { maxLength: 2 }),
        fc.array(damage, { minLength: 1, maxLength: 3 }),
        async (session, removed, damages) => {
          const { messages } = convert(session, dialect, { times: true });
          for (const index of removed) messages.splice(index % messages.length, 1);
          for (const each of damages) damageField(messages, each);
          await use(messages, session.end + 1e9);
        },
      );
      await fc.assert(property, runs(0.1));
    });
  }

  test('opencode: an attachment that is null does not throw', async () => {
    const state = { status: 'completed', input: {}, output: 'read', attachments: [null], time: { start: 1, end: 2 } };
    const messages = [
      { info: { role: 'user' }, parts: [{ type: 'text', text: 'Read it.' }] },
      { info: { role: 'assistant' }, parts: [{ type: 'tool', tool: 'read', callID: 'a', state }] },
    ];
    await use(messages, NOW);
  });
});
