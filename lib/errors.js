// @ts-check
'use strict';

/**
 * Names what came without showing it: arguments may hold what must not reach a log.
 * @param {unknown} value
 */
function describe(value) {
  if (value === null || value === undefined) return String(value);
  if (isClass(value)) return 'a class: is `new` missing?';
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (isRevoked(value)) return 'a revoked proxy';
  if (isThenable(value)) return 'a Promise: is an await missing?';
  return Array.isArray(value) ? 'an array' : 'an object';
}

/** @param {any} value */
function isThenable(value) {
  try {
    return typeof value?.then === 'function';
  } catch {
    return false;
  }
}

/** Whether `value` is a function that can't be called, as `OpenAI` where `new OpenAI()` was meant. @param {unknown} value */
function isClass(value) {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value));
}

/** Every look at a revoked proxy throws, and this is the cheapest. @param {object} value */
function isRevoked(value) {
  try {
    Array.isArray(value);
    return false;
  } catch {
    return true;
  }
}

/**
 * A word such as the misspelt name of a choice; of any other text only its length. Arguments get mixed up, and then a name may be a
 * conversation.
 * @param {unknown} value
 */
function quoted(value) {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return describe(value);
  return /^[\w./-]{0,40}$/.test(value) ? `'${value}'` : `a string of ${value.length} units`;
}

/**
 * The code or name of `error`, where it is a name: hosts' clients put a provider's words everywhere.
 * @param {unknown} error anything that may be thrown
 * @returns {string}
 */
function codeNameOf(error) {
  try {
    const { code, status, name } = /** @type {Record<string, unknown>} */ (error ?? {});
    const found = [code, status, name].find((given) => typeof given === 'number' || isCodeName(given));
    return found === undefined ? 'error' : String(found);
  } catch {
    return 'error';
  }
}

/**
 * The provider's type of error (`invalid_request_error`, `INVALID_ARGUMENT`): the innermost word that an SDK's error holds, else the
 * name of its class; never its message.
 * @param {any} error anything that may be thrown
 * @returns {string | undefined}
 */
function errorClassOf(error) {
  try {
    const { error: body, type, providerType, name } = error ?? {};
    const inner = body?.error;
    const told = [inner?.type, inner?.status, body?.type, body?.status, type, providerType];
    return [...told, name, error?.constructor?.name].find(
      (word) => isCodeName(word) && !/^(error|object)$/i.test(word),
    );
  } catch {
    return undefined;
  }
}

/** @param {unknown} value */
function isCodeName(value) {
  return typeof value === 'string' && /^[\w.-]{1,64}$/.test(value);
}

/**
 * @param {string} name the argument
 * @param {string} expected
 * @param {unknown} came
 */
function wrongType(name, expected, came) {
  const error = new TypeError(`${name}: expected ${expected}, got ${describe(came)}`);
  return ours(Object.assign(error, { code: 'ERR_INVALID_ARG_TYPE' }));
}

/**
 * @param {string} name the argument
 * @param {string} expected
 * @param {string} came
 */
function outOfRange(name, expected, came) {
  const error = new RangeError(`${name}: expected ${expected}, got ${came}`);
  return ours(Object.assign(error, { code: 'ERR_OUT_OF_RANGE' }));
}

/** The messages of errors that were made here show nothing of what came. @type {WeakSet<object>} */
const MADE_HERE = new WeakSet();

/** @template {Error} E @param {E} error @returns {E} */
function ours(error) {
  MADE_HERE.add(error);
  return error;
}

/** What is wrong with an argument, where `error` is one of ours about that; else empty. @param {any} error @returns {string} */
function problemIn(error) {
  return MADE_HERE.has(error) ? error.message : '';
}

/** @param {unknown} cause what the array, or who observes it, has thrown */
function notTakingIt(cause) {
  const error = new TypeError(
    'messages: expected an array that can be changed, got one that refuses a change; it is as it was',
    {
      cause,
    },
  );
  return Object.assign(error, { code: 'ERR_INVALID_ARG_TYPE' });
}

/**
 * The error for a state that can't be restored.
 * @param {string} expected
 * @param {string} came
 * @param {unknown} [cause]
 */
function badState(expected, came, cause) {
  const error = new RangeError(`state: expected ${expected}, got ${came}`, cause === undefined ? undefined : { cause });
  return Object.assign(error, { code: 'ERR_BAD_STATE' });
}

module.exports = {
  badState,
  codeNameOf,
  describe,
  errorClassOf,
  isClass,
  isRevoked,
  isThenable,
  notTakingIt,
  ours,
  outOfRange,
  problemIn,
  quoted,
  wrongType,
};
