// @ts-check
/** The texts of the elements and of the page in both languages. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fill, inBothLanguages } from '../../ui/base/format.js';
import { WORDS as HISTORY_WORDS } from '../../ui/history/words.js';
import { WORDS as PAGE_WORDS } from '../../ui/page/words.js';
import { WORDS as PICTURE_WORDS } from '../../ui/picture/words.js';

const NUMBER_FORMATS = ['number', 'shortNumber', 'share'];
const VALUES = ['(0)', '(1)', '(2)', '(3)'];

/** Which values each text shows, by its path; texts without values are left out. @param {any} texts @returns {any[]} */
function valuesIn(texts, path = '') {
  return Object.entries(texts).flatMap(([name, text]) => {
    if (typeof text === 'object') return valuesIn(text, `${path}${name}.`);
    if (NUMBER_FORMATS.includes(name)) return [];
    const places = typeof text === 'string' ? text.match(/\{\w+\}/g)?.toSorted() : undefined;
    const shown = typeof text === 'string' ? places : VALUES.filter((value) => text(...VALUES).includes(value));
    return shown === undefined ? [] : [[path + name, shown]];
  });
}

it('all texts show the same values in both languages', () => {
  for (const { en, zh } of [HISTORY_WORDS, PAGE_WORDS, PICTURE_WORDS]) {
    assert.ok(valuesIn(en).length > 5);
    assert.deepEqual(valuesIn(zh), valuesIn(en));
  }
});

it('a text has its values at their places, and a value is never taken for a place', () => {
  const { en, zh } = inBothLanguages({ of: ['{0} of {1}', '{1}: {0}, {0}'], one: ['one', '一'] });
  assert.equal(en.of('{1}', '$&'), '{1} of $&');
  assert.equal(zh.of('a', 'b'), 'b: a, a');
  assert.equal(zh.one, '一');
  assert.equal(fill('{cost} for {name}', { cost: '$1', name: '{cost}' }), '$1 for {cost}');
});
