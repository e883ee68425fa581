// @ts-check
/** A panic in Rust ends the call, never the process. `npm run fuzz:panics` raises one in each exported function, with an addon built for it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { declared } from '../../fuzz/panics/declared.mjs';
import { exportedFunctions, functionsIn } from '../../fuzz/panics/inject.mjs';

test('R0.3 every exported Rust function of the addons has catch_unwind', () => {
  const found = exportedFunctions();
  assert.deepEqual(
    found.filter(({ isGuarded }) => !isGuarded),
    [],
  );
  // In Rust a constructor's name is `new`.
  const names = declared().map(({ name, kind }) => (kind === 'constructor' ? 'new' : name));
  assert.deepEqual(found.map(({ name }) => name).sort(), names.sort());
});

test('functionsIn finds exported functions without catch_unwind, whatever their other attributes', () => {
  const text = `
    #[napi]
    pub fn plain_one() {}
    #[napi(ts_return_type = "string[]")]
    #[allow(clippy::all)] // a reason
    pub fn typed() {}
    #[napi(
        catch_unwind,
        ts_args_type = "texts: string[]"
    )]
    #[allow(clippy::all)] // a reason
    pub const fn caught() {}
    #[napi(object)]
    pub struct Value {}
    pub fn inner() {}`;
  assert.deepEqual(functionsIn(text), [
    { name: 'plainOne', isGuarded: false },
    { name: 'typed', isGuarded: false },
    { name: 'caught', isGuarded: true },
  ]);
});
