// @ts-check
/** States come back from files, which anybody may have written. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ContextView } from 'palimpsest';
import { runs } from '../support/comparison.mjs';

const NOW = 1_800_000_000_000;
const ODD = [null, -1, 0, 1.5, 1e308, -1e308, 2 ** 53, 'x', '', [], {}, true, [[]], [null], [1e9], '__proto__', 'zh'];

/** @type {any[]} */
const stored = [
  { role: 'system', content: 'Be careful. '.repeat(500) },
  { role: 'user', content: 'go' },
];
for (let step = 0; step < 30; step++) {
  const call = { name: step % 2 ? 'bash' : 'filesystem-read', arguments: '{"filePath":"a.txt"}' };
  stored.push(
    { role: 'assistant', content: '', tool_calls: [{ id: `c${step}`, type: 'function', function: call }] },
    { role: 'tool', tool_call_id: `c${step}`, content: `out ${step} `.repeat(800), timestamp: NOW + step * 1000 },
  );
}

/** A state with pending and replaced results, changes, marks and open reports. */
function exported() {
  const view = new ContextView({ price: 'anthropic', marks: true });
  for (let end = 4; end <= 40; end += 4) view.project(stored.slice(0, end), { now: NOW + end * 1000 });
  view.project(stored.slice(0, 42), { now: NOW + 4_000_000 });
  return view.export();
}

/** Where anything stands in it. @param {any} value @param {string[]} [before] @returns {string[][]} */
function placesIn(value, before = []) {
  if (value === null || typeof value !== 'object') return [];
  return Object.keys(value).flatMap((key) => [[...before, key], ...placesIn(value[key], [...before, key])]);
}

const state = exported();
const places = placesIn(state);
const change = fc.record({
  place: fc.constantFrom(...places),
  how: fc.constantFrom('replace', 'remove', 'repeat', 'scale'),
  value: fc.constantFrom(...ODD),
  by: fc.constantFrom(-1, 0.5, 2, 1e6),
});

/** @param {any} target @param {{ place: string[], how: string, value: unknown, by: number }} change */
function spoil(target, { place, how, value, by }) {
  const key = /** @type {string} */ (place.at(-1));
  const holder = place.slice(0, -1).reduce((inner, step) => inner?.[step], target);
  if (holder === null || typeof holder !== 'object') return;
  if (how === 'repeat' && Array.isArray(holder)) holder.push(structuredClone(holder[Number(key)]));
  else if (how === 'remove' && Array.isArray(holder)) holder.splice(Number(key), 1);
  else if (how === 'remove') delete holder[key];
  else if (how === 'scale' && typeof holder[key] === 'number') holder[key] *= by;
  else holder[key] = structuredClone(value);
}

/** @param {unknown} forged @returns {ContextView | undefined} nothing where it is refused as it has to be */
function imported(forged) {
  try {
    return ContextView.import(/** @type {any} */ (forged));
  } catch (error) {
    assert.equal(/** @type {any} */ (error).code, 'ERR_BAD_STATE', String(error));
    return undefined;
  }
}

test('C17 a forged view state is refused as one, or sends whole pairs, with figures that are some and can be exported again', () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      const forged = structuredClone(state);
      for (const one of changes) spoil(forged, one);
      const view = imported(forged);
      if (view === undefined) return;
      for (const end of [42, 50, 62]) {
        const { messages } = view.project(stored.slice(0, end), { now: NOW + 5_000_000 + end });
        assert.equal(messages.length, end);
        const { cost, costLeftAlone } = view.ledger();
        assert.ok(cost >= 0 && costLeftAlone >= 0 && Number.isFinite(cost + costLeftAlone));
        assert.ok(view.breakpoints().every((place) => place >= 0 && place < messages.length));
      }
      ContextView.import(view.export());
    }),
    runs(0.04),
  );
});

test('C17 figures that no conversation has are no state: sums would have no end', () => {
  for (const place of [
    'bill.count.perToken',
    'bill.cost.leftAlone',
    'messages.3.0',
    'ledger.extraCost',
    'fixedTokens',
  ]) {
    const forged = structuredClone(state);
    spoil(forged.schedule, { place: place.split('.'), how: 'replace', value: -1e308, by: 1 });
    assert.throws(() => ContextView.import(forged), { code: 'ERR_BAD_STATE' }, place);
  }
});
