// @ts-check
/** `prepare` keeps stripped messages between requests (`ApiMessages`), and must notice each change of a stored message. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { stripForApi } from 'palimpsest';
import { ApiMessages } from '../../lib/compression/api-messages.js';

const { constant, constantFrom, nat, oneof, record } = fc;

const compressionRecord = { id: 'c1', level: 1, kind: 'summary', messageCount: 2 };
const call = { id: 'a', type: 'function', function: { name: 'Read', arguments: '{}' } };

const field = oneof(
  record({ key: constant('role'), value: constantFrom('user', 'assistant', 'tool', 'toolResult') }),
  record({
    key: constant('content'),
    value: constantFrom(
      'text',
      null,
      [{ type: 'tool_use', id: 'a', name: 'Read', input: {} }],
      [{ type: 'output_text', text: 'text' }],
    ),
  }),
  record({
    key: constantFrom('timestamp', 'id', 'name', '__proto__', 'usage'),
    value: constantFrom(1, 'a', Number.NaN),
  }),
  record({ key: constant('tool_calls'), value: constantFrom([call], undefined) }),
  record({ key: constant('toolCalls'), value: constantFrom([{ id: 'a', name: 'Read', arguments: {} }], undefined) }),
  record({ key: constant('type'), value: constantFrom('message', 'function_call', 'human', undefined) }),
  record({ key: constant('parts'), value: constantFrom([{ text: 'text' }], undefined) }),
  record({ key: constant('isCompressed'), value: constantFrom(true, false) }),
  record({ key: constant('compression'), value: constantFrom(compressionRecord, undefined) }),
  record({ key: constant('beforeCompression'), value: constantFrom({ pinnedBy: 'c1' }, undefined) }),
);

/** @param {Record<string, unknown>} target @param {{ key: string, value: unknown }} field */
function set(target, { key, value }) {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

const message = fc.array(field, { minLength: 1, maxLength: 4 }).map((fields) => {
  const generated = { role: 'user', content: 'text' };
  for (const each of fields) set(generated, each);
  return generated;
});

const edit = oneof(
  { weight: 4, arbitrary: record({ kind: constantFrom('set', 'spoilCopy'), place: nat(999), field }) },
  record({ kind: constant('delete'), place: nat(999), field }),
  record({ kind: constantFrom('replace', 'append'), place: nat(999), message }),
  record({ kind: constantFrom('remove', 'truncate'), place: nat(999) }),
);

/** @param {any[]} stored @param {any[]} sent @param {any} edit */
function apply(stored, sent, { kind, place, field, message }) {
  const at = place % Math.max(1, stored.length);
  const target = kind === 'spoilCopy' ? sent[place % Math.max(1, sent.length)] : stored[at];
  if (kind === 'append') stored.push(message);
  else if (kind === 'replace') stored[at] = message;
  else if (kind === 'remove') stored.splice(at, 1);
  else if (kind === 'truncate') stored.length = at;
  else if (target !== undefined && kind === 'delete') delete target[field.key];
  else if (target !== undefined) set(target, field);
}

test('R10.10 after edits in place, messages are stripped the same as by a first call', () => {
  const lives = record({
    stored: fc.array(message, { minLength: 20, maxLength: 40 }),
    edits: fc.array(fc.array(edit, { maxLength: 4 }), { minLength: 1, maxLength: 8 }),
    dialect: constantFrom(undefined, undefined, 'anthropic', 'openai-chat'),
  });
  fc.assert(
    fc.property(lives, ({ stored: start, edits, dialect }) => {
      const stored = structuredClone(start);
      const apiMessages = new ApiMessages(dialect);
      let sent = apiMessages.strip(stored);
      for (const round of edits) {
        for (const each of round) apply(stored, sent, each);
        sent = apiMessages.strip(stored);
        const expected = stripForApi(stored, { dialect });
        assert.deepEqual(sent, expected);
        const isStored = (/** @type {any} */ message) => stored.includes(message);
        assert.deepEqual(sent.map(isStored), expected.map(isStored));
      }
    }),
  );
});
