// @ts-check
/** `RequestBodies` reuses the parsed parts of earlier bodies, and returns what JSON.parse would. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { textOf } from '../../bin/gateway/json-spans.mjs';
import { RequestBodies } from '../../bin/gateway/request-body.mjs';
import { DuplicateKey } from '../../bin/gateway/splice.mjs';

const long = fc.string({ minLength: 300, maxLength: 400 });
const message = fc.oneof(fc.record({ role: fc.string(), content: fc.oneof(fc.jsonValue(), long) }), fc.jsonValue());

describe('RequestBodies', () => {
  test('read returns what JSON.parse returns, after earlier bodies were extended, cut or edited', () => {
    const body = fc.record({ messages: fc.array(message, { maxLength: 6 }), system: long, first: fc.jsonValue() });
    const step = fc.record({ kind: fc.nat(5), at: fc.nat(), message, indent: fc.constantFrom(0, 1) });
    fc.assert(
      fc.property(
        fc.array(body, { minLength: 1, maxLength: 2 }),
        fc.array(step, { maxLength: 12 }),
        (starts, steps) => {
          const bodies = new RequestBodies('messages');
          const conversations = starts.map((start) => JSON.parse(JSON.stringify(start)));
          for (const { kind, at, message, indent } of steps) {
            const current = conversations[at % conversations.length];
            const { length } = current.messages;
            if (kind < 3) current.messages.push(message);
            else if (kind === 3) current.messages = current.messages.slice(0, at % (length + 1));
            else if (kind === 4 && length > 0) current.messages[at % length] = message;
            else current.first = message;
            const bytes = Buffer.from(JSON.stringify(current, null, indent));
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

  test('a body that extends an earlier one shares its message objects and fields', () => {
    const bodies = new RequestBodies('messages');
    const messages = Array.from({ length: 4 }, (_, at) => ({ role: 'user', content: `${at}` }));
    const read = (/** @type {any} */ body) => bodies.read(Buffer.from(JSON.stringify(body)));
    const before = read({ messages: messages.slice(0, 3), tools: ['x'.repeat(400)] });
    const after = read({ added: 1, messages, tools: ['x'.repeat(400)] });
    assert.ok(before && after);
    for (const at of [0, 1, 2]) assert.equal(after.messages[at], before.messages[at]);
    assert.equal(after.fields.tools, before.fields.tools);
  });

  test('read shares nothing if a number has more digits or a key differs, and throws for invalid JSON and repeated keys', () => {
    const bodies = new RequestBodies('messages');
    bodies.read(Buffer.from('{"messages":[1,12]}'));
    assert.deepEqual(bodies.read(Buffer.from('{"messages":[1,123]}'))?.messages, [1, 123]);
    assert.deepEqual(bodies.read(Buffer.from('{"messages":[1]}'))?.messages, [1]);
    const digits = '1'.repeat(300);
    for (const text of [digits, `${digits}1`]) {
      const read = bodies.read(Buffer.from(`{"seed":${text},"messages":[1]}`));
      assert.deepEqual(read?.fields, { seed: Number(text) });
    }
    assert.equal(bodies.read(Buffer.from('{"Messages":[1]}')), undefined);
    assert.throws(() => bodies.read(Buffer.from('{"messages":[1],"messages":[2]}')), DuplicateKey);
    assert.throws(() => bodies.read(Buffer.from('{"messages":[1,]}')), SyntaxError);
    assert.throws(() => bodies.read(Buffer.from('{"messages":[{]}]}')), SyntaxError);
  });
});
