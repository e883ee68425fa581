// @ts-check
/** Calls every addon function that is named on the command line with an armed panic, and reports the outcome as JSON. */
import { strict as assert } from 'node:assert';
import { createRequire } from 'node:module';
import { argumentsFor, declared } from './declared.mjs';

const [, , path = ''] = process.argv;
const addon = createRequire(import.meta.url)(path);
/** @type {string[]} */ const faults = [];
/** @type {string[]} */ const reached = [];
let settled = 0;

/** @param {string} name @returns {any} */
function instance(name) {
  const one = declared().find(({ owner, kind }) => owner === name && kind === 'constructor');
  assert.ok(one, `${name} has no constructor`);
  return new addon[name](...argumentsFor(one, instance));
}

/** @param {import('./declared.mjs').Declared} one @param {any} self @param {unknown[]} given */
function call({ owner, name, kind }, self, given) {
  if (kind === 'constructor') return new addon[/** @type {string} */ (owner)](...given);
  return kind === 'getter' ? self[name] : (owner === null ? addon : self)[name](...given);
}

/** @param {any} error @param {string} functionName */
function assertInternal(error, functionName) {
  assert.ok(error instanceof Error, 'it is no Error');
  assert.equal(/** @type {any} */ (error).code, 'GenericFailure');
  assert.ok(error.message.includes(`injected into ${functionName}`), `it says “${error.message}”`);
}

/** A panic in the call itself, then the same call again. @param {import('./declared.mjs').Declared} one */
function playCall(one) {
  const self = one.owner === null || one.kind === 'constructor' ? undefined : instance(one.owner);
  const given = argumentsFor(one, instance);
  addon.arm('call');
  let thrown;
  try {
    call(one, self, given);
  } catch (error) {
    thrown = error;
  }
  addon.arm(null);
  assert.ok(thrown, 'nothing was thrown');
  assertInternal(thrown, '');
  reached.push(/** @type {Error} */ (thrown).message.replace('injected into ', ''));
  const again = call(one, self, argumentsFor(one, instance));
  return one.isAsync ? again : undefined;
}

/** A panic in the work that the call runs on another thread, or in its completion on this one. @param {import('./declared.mjs').Declared} one */
async function playLater(one) {
  let stages = 0;
  for (const stage of ['work', 'thread', 'task', 'result']) {
    const self = one.owner === null ? undefined : instance(one.owner);
    addon.arm(stage);
    const [outcome] = await Promise.allSettled([call(one, self, argumentsFor(one, instance))]);
    const isReached = outcome.status === 'rejected';
    addon.arm(null);
    if (!isReached) continue;
    if (stage === 'task') assert.equal(outcome.reason.code, 'GenericFailure');
    else assertInternal(outcome.reason, stage);
    stages += 1;
    await call(one, self, argumentsFor(one, instance));
  }
  assert.ok(stages > 0, 'no thread was reached');
  settled += stages;
}

for (const one of declared()) {
  const name = one.owner === null ? one.name : `${one.owner}.${one.name}`;
  try {
    await playCall(one);
    if (one.isAsync) await playLater(one);
  } catch (error) {
    faults.push(`${name}: ${error instanceof Error ? error.message : error}`);
  }
}
process.stdout.write(`${JSON.stringify({ calls: reached.length, reached, settled, faults })}\n`);
process.exit(0);
