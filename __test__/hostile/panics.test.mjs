// @ts-check
/** A panic in Rust ends a call, never the process. `npm run fuzz:panics` raises one in each of these functions, with an addon built for it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { declared } from '../../fuzz/panics/declared.mjs';
import { exportedFunctions, functionsIn } from '../../fuzz/panics/inject.mjs';

test('every function that an addon declares is one that catches panics', () => {
  const found = exportedFunctions();
  assert.deepEqual(
    found.filter(({ isGuarded }) => !isGuarded),
    [],
  );
  // Rust calls what makes an object `new`.
  const names = declared().map(({ name, kind }) => (kind === 'constructor' ? 'new' : name));
  assert.deepEqual(found.map(({ name }) => name).sort(), names.sort());
});

test('a function that would let a panic through is seen, whatever else its attributes say', () => {
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
