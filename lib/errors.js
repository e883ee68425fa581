// @ts-check
'use strict';

/** Names a value without showing it: arguments may hold what must not reach a log. @param {unknown} value */
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

/** True for `OpenAI` where `new OpenAI()` was meant. @param {unknown} value */
function isClass(value) {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value));
}

/** Any look at a revoked proxy throws; this is the cheapest. @param {object} value */
function isRevoked(value) {
  try {
    Array.isArray(value);
    return false;
  } catch {
    return true;
  }
}

/** Shows short words only: where arguments were mixed up, a name may be a conversation. @param {unknown} value */
function quoted(value) {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return describe(value);
  return /^[\w./-]{0,40}$/.test(value) ? `'${value}'` : `a string of ${value.length} units`;
}

/** Hosts' clients put a provider's words everywhere, so only what looks like a name is told. @param {unknown} error @returns {string} */
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
 * The provider's innermost type of error (`invalid_request_error`, `INVALID_ARGUMENT`), else the name of its class; never its message.
 * @param {any} error @returns {string | undefined}
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

/** @param {string} name @param {string} expected @param {unknown} came */
function wrongType(name, expected, came) {
  const error = new TypeError(`${name}: expected ${expected}, got ${describe(came)}`);
  return ours(Object.assign(error, { code: 'ERR_INVALID_ARG_TYPE' }));
}

/** @param {string} name @param {string} expected @param {string} came */
function outOfRange(name, expected, came) {
  const error = new RangeError(`${name}: expected ${expected}, got ${came}`);
  return ours(Object.assign(error, { code: 'ERR_OUT_OF_RANGE' }));
}

/** Messages of errors that were made here show nothing of what came. @type {WeakSet<object>} */
const MADE_HERE = new WeakSet();

/** @template {Error} E @param {E} error @returns {E} */
function ours(error) {
  MADE_HERE.add(error);
  return error;
}

/** Empty unless the error is ours. @param {any} error @returns {string} */
function problemIn(error) {
  return MADE_HERE.has(error) ? error.message : '';
}

/** @param {unknown} cause what the array, or its observer, has thrown */
function notTakingIt(cause) {
  const error = new TypeError(
    'messages: expected an array that can be changed, got one that refuses a change; it is as it was',
    {
      cause,
    },
  );
  return Object.assign(error, { code: 'ERR_INVALID_ARG_TYPE' });
}

/** @param {string} expected @param {string} came @param {unknown} [cause] */
function badState(expected, came, cause) {
  const error = new RangeError(`state: expected ${expected}, got ${came}`, cause === undefined ? undefined : { cause });
  return Object.assign(error, { code: 'ERR_BAD_STATE' });
}

/** Stack traces find this name, and loops over an error's fields don't. @param {Function} type @param {string} name */
function nameErrors(type, name) {
  Object.defineProperty(type.prototype, 'name', { value: name, writable: true, configurable: true });
}

module.exports = {
  badState,
  codeNameOf,
  describe,
  errorClassOf,
  isClass,
  isRevoked,
  isThenable,
  nameErrors,
  notTakingIt,
  ours,
  outOfRange,
  problemIn,
  quoted,
  wrongType,
};
