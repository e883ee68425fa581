// @ts-check
/** `json-spans.mjs` finds the bytes of JSON values without parsing them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { endOfValue, itemsOf, membersOf, textOf } from '../../bin/gateway/json-spans.mjs';

/** JSON text with `space()` between all tokens. @param {unknown} value @param {() => string} space @returns {string} */
function spaced(value, space) {
  if (Array.isArray(value))
    return `[${space()}${value.map((one) => spaced(one, space)).join(`${space()},${space()}`)}${space()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, held]) => `${JSON.stringify(key)}${space()}:${space()}${spaced(held, space)}`,
  );
  return `{${space()}${members.join(`${space()},${space()}`)}${space()}}`;
}

const spaces = fc.array(fc.constantFrom('', '', ' ', '\n', '\t\r\n  '), { minLength: 1, maxLength: 7 });

/** @param {string[]} given */
function cycle(given) {
  let at = 0;
  return () => given[at++ % given.length] ?? '';
}

describe('spans of JSON text', () => {
  test('membersOf and itemsOf find the values that JSON.parse finds, with any white space', () => {
    fc.assert(
      fc.property(fc.jsonValue(), spaces, (value, whiteSpace) => {
        const text = Buffer.from(spaced(value, cycle(whiteSpace)));
        assert.equal(endOfValue(text, 0), text.length);
        if (Array.isArray(value)) {
          const { items, end } = itemsOf(text, 0);
          assert.deepEqual(
            items.map((item) => JSON.parse(textOf(text, item))),
            JSON.parse(String(text)),
          );
          assert.equal(end, text.length);
        } else if (value !== null && typeof value === 'object') {
          const { members } = membersOf(text, 0);
          const read = members.map((member) => [member.key, JSON.parse(textOf(text, member))]);
          assert.deepEqual(
            read,
            Object.entries(value).map(([key, held]) => [key, JSON.parse(JSON.stringify(held))]),
          );
        }
      }),
    );
  });

  test('membersOf throws a SyntaxError for text that is cut off anywhere', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1 }), fc.nat(), (value, at) => {
        const text = Buffer.from(JSON.stringify({ messages: value }));
        const cut = text.subarray(0, at % text.length);
        assert.throws(() => membersOf(cut, 0), SyntaxError);
      }),
    );
  });

  test('escaped quotes, backslashes and brackets in a string don’t end it', () => {
    const text = Buffer.from('{"a\\"b":"}\\\\","c":"\\\\\\"]"}');
    const { members } = membersOf(text, 0);
    assert.deepEqual(
      members.map(({ key }) => key),
      ['a"b', 'c'],
    );
    assert.equal(textOf(text, members[1]), '"\\\\\\"]"');
  });

  test('membersOf returns both members of a repeated key, and numbers as they are written', () => {
    const text = Buffer.from('{"a":1e400,"a":-0.0 ,"b":1E+2}');
    const { members } = membersOf(text, 0);
    assert.deepEqual(
      members.map((member) => `${member.key} ${textOf(text, member)}`),
      ['a 1e400', 'a -0.0', 'b 1E+2'],
    );
  });

  test('endOfValue reads 100,000 brackets without a stack overflow, and 1 MB of backslashes in under 500 ms', () => {
    const deep = Buffer.from('['.repeat(100_000) + ']'.repeat(100_000));
    assert.equal(endOfValue(deep, 0), deep.length);
    const slashes = Buffer.from(`"${'\\\\'.repeat(500_000)}"`);
    const startMs = performance.now();
    assert.equal(endOfValue(slashes, 0), slashes.length);
    assert.ok(performance.now() - startMs < 500);
  });
});
