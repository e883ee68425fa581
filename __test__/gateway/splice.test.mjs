// @ts-check
/** `splice.mjs` writes changed values into JSON text, and keeps all other bytes. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { endOfValue, itemsOf } from '../../bin/gateway/json-spans.mjs';
import { DuplicateKey, listEdits, spliced, valueEdits } from '../../bin/gateway/splice.mjs';

/** @param {string} text @param {any[]} before @param {any[]} after */
function edited(text, before, after) {
  const bytes = Buffer.from(text);
  const { items, end } = itemsOf(bytes, 0);
  return String(spliced(bytes, listEdits(bytes, { span: { start: 0, end }, items }, before, after)));
}

/** A copy with `other` at a place chosen by `at`; the rest is shared. @param {any} value @param {number} at @param {any} other @returns {any} */
function changedAt(value, at, other) {
  if (Array.isArray(value) && value.length > 0) {
    const index = at % value.length;
    return value.map((one, place) => (place === index ? changedAt(one, Math.floor(at / value.length), other) : one));
  }
  if (value !== null && typeof value === 'object') {
    const keys = Object.keys(value);
    const key = keys[at % (keys.length + 1)] ?? 'new';
    return Object.defineProperty({ ...value }, key, {
      value: other,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return other;
}

const list = fc.array(fc.jsonValue(), { minLength: 1, maxLength: 8 });

describe('listEdits and valueEdits', () => {
  test('the edited text parses to the changed list after values were changed, added, removed or moved', () => {
    fc.assert(
      fc.property(list, fc.array(fc.tuple(fc.nat(), fc.jsonValue())), fc.nat(), (given, changes, cut) => {
        const text = JSON.stringify(given, null, 1);
        const before = JSON.parse(text);
        let after = before;
        for (const [at, other] of changes) after = changedAt(after, at, other);
        if (cut % 4 === 0) after = after.filter((_, index) => index !== cut % before.length);
        if (cut % 5 === 0) after = [...after.slice(1), { added: cut }];
        assert.deepEqual(JSON.parse(edited(text, before, after)), JSON.parse(JSON.stringify(after)));
      }),
    );
  });

  test('kept items keep their bytes when others are removed or added, and an equal list gives the same text', () => {
    const text = '[ {"n":1e400,"n2":1.0} ,{"b" : [ 1,2 ]}, {"c":"\\u0041"} ]';
    const before = JSON.parse(text);
    assert.equal(edited(text, before, [...before]), text);
    assert.equal(edited(text, before, [before[0], before[2]]), '[{"n":1e400,"n2":1.0},{"c":"\\u0041"}]');
    const added = edited(text, before, [...before, { d: 1 }]);
    assert.ok(added.includes('{"n":1e400,"n2":1.0}') && added.includes('{"b" : [ 1,2 ]}'), added);
  });

  test('only the string of a changed result is replaced; white space, escapes and order around it stay', () => {
    const text =
      '[{"role" : "user","content":[ {"tool_use_id":"a", "content" : "long \\u00e9", "x":1.50,"type":"tool_result"} ]}]';
    const before = JSON.parse(text);
    const after = [{ ...before[0], content: [{ ...before[0].content[0], content: '[removed "it"]' }] }];
    assert.equal(edited(text, before, after), text.replace('"long \\u00e9"', '"[removed \\"it\\"]"'));
  });

  test('an added breakpoint is written after the block’s own fields', () => {
    const text = '[{"role":"user","content":[{"type":"text","text":"a"}  ]}]';
    const before = JSON.parse(text);
    const block = { ...before[0].content[0], cache_control: { type: 'ephemeral' } };
    const expected = text.replace('"text":"a"', '"text":"a","cache_control":{"type":"ephemeral"}');
    assert.equal(edited(text, before, [{ ...before[0], content: [block] }]), expected);
  });

  test('a repeated key in a changed object throws DuplicateKey, and elsewhere both keep their bytes', () => {
    const twice = '[{"a":1,"a":2,"b":3}]';
    const before = JSON.parse(twice);
    assert.throws(() => edited(twice, before, [{ ...before[0], b: 4 }]), DuplicateKey);
    const elsewhere = '[{"a":{"x":1,"x":2},"b":3}]';
    const read = JSON.parse(elsewhere);
    assert.equal(edited(elsewhere, read, [{ ...read[0], b: 4 }]), '[{"a":{"x":1,"x":2},"b":4}]');
  });

  test('removing a key keeps the bytes of the other members', () => {
    const text = '{"a":1.0,"removed":[1],"c":{"d":1e400}}';
    const { removed, ...after } = JSON.parse(text);
    const bytes = Buffer.from(text);
    const span = { start: 0, end: endOfValue(bytes, 0) };
    const edits = valueEdits(bytes, span, { ...after, removed }, after);
    assert.equal(String(spliced(bytes, edits)), '{"a":1.0,"c":{"d":1e400}}');
  });
});
