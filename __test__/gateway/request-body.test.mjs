// @ts-check
/** A body is read with what earlier ones held, and is what JSON.parse makes of it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { textOf } from '../../bin/gateway/json-spans.mjs';
import { RequestBodies } from '../../bin/gateway/request-body.mjs';
import { DuplicateKey } from '../../bin/gateway/splice.mjs';

const long = fc.string({ minLength: 300, maxLength: 400 });
const message = fc.oneof(fc.record({ role: fc.string(), content: fc.oneof(fc.jsonValue(), long) }), fc.jsonValue());

describe('bodies', () => {
  test('are what JSON.parse makes of them, whatever came before: grown, cut, edited, moved', () => {
    const body = fc.record({ messages: fc.array(message, { maxLength: 6 }), system: long, first: fc.jsonValue() });
    const step = fc.record({ kind: fc.nat(5), at: fc.nat(), message, indent: fc.constantFrom(0, 1) });
    fc.assert(
      fc.property(
        fc.array(body, { minLength: 1, maxLength: 2 }),
        fc.array(step, { maxLength: 12 }),
        (starts, steps) => {
          const bodies = new RequestBodies('messages');
          const all = starts.map((one) => JSON.parse(JSON.stringify(one)));
          for (const { kind, at, message, indent } of steps) {
            const one = all[at % all.length];
            if (kind < 3) one.messages.push(message);
            else if (kind === 3) one.messages = one.messages.slice(0, at % (one.messages.length + 1));
            else if (kind === 4 && one.messages.length > 0) one.messages[at % one.messages.length] = message;
            else one.first = message;
            const bytes = Buffer.from(JSON.stringify(one, null, indent));
            const read = bodies.read(bytes);
            assert.deepEqual({ ...read?.fields, messages: read?.messages }, JSON.parse(String(bytes)));
            assert.deepEqual(
              read?.items.map((item) => JSON.parse(textOf(bytes, item))),
              JSON.parse(String(bytes)).messages,
            );
          }
        },
      ),
    );
  });

  test('that go on from another share its messages, the last one too where it is the same', () => {
    const bodies = new RequestBodies('messages');
    const messages = Array.from({ length: 4 }, (_, at) => ({ role: 'user', content: `${at}` }));
    const read = (/** @type {any} */ body) => bodies.read(Buffer.from(JSON.stringify(body)));
    const before = read({ messages: messages.slice(0, 3), tools: ['x'.repeat(400)] });
    const after = read({ more: 1, messages, tools: ['x'.repeat(400)] });
    assert.ok(before && after);
    for (const at of [0, 1, 2]) assert.equal(after.messages[at], before.messages[at]);
    assert.equal(after.fields.tools, before.fields.tools);
  });

  test('in which a number goes on, or a key is another, are not taken for the same', () => {
    const bodies = new RequestBodies('messages');
    bodies.read(Buffer.from('{"messages":[1,12]}'));
    assert.deepEqual(bodies.read(Buffer.from('{"messages":[1,123]}'))?.messages, [1, 123]);
    assert.deepEqual(bodies.read(Buffer.from('{"messages":[1]}'))?.messages, [1]);
    assert.equal(bodies.read(Buffer.from('{"Messages":[1]}')), undefined);
    assert.throws(() => bodies.read(Buffer.from('{"messages":[1],"messages":[2]}')), DuplicateKey);
    assert.throws(() => bodies.read(Buffer.from('{"messages":[1,]}')), SyntaxError);
    assert.throws(() => bodies.read(Buffer.from('{"messages":[{]}]}')), SyntaxError);
  });
});
