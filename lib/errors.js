// @ts-check
'use strict';

/** Makes this package's errors, and names the errors of others, without showing an application's content. */

const { safely } = require('./plain-data.js');

/** Describes a value without showing it, because arguments may hold content that must not be logged. @param {unknown} value */
function describe(value) {
  if (value === null || value === undefined) return String(value);
  if (isClass(value)) return 'a class: is `new` missing?';
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (isRevoked(value)) return 'a revoked proxy';
  if (isThenable(value)) return 'a Promise: is an await missing?';
  return Array.isArray(value) ? 'an array' : 'an object';
}

/** True for a promise. @param {any} value */
const isThenable = (value) => safely(() => typeof value?.then === 'function') ?? false;
/** True for a class: `OpenAI` was passed instead of `new OpenAI()`. @param {unknown} value */
const isClass = (value) => typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value));
/** Every access to a revoked proxy throws; `Array.isArray` is the cheapest. @param {object} value */
const isRevoked = (value) => safely(() => [Array.isArray(value)]) === undefined;

/** Shows short words only: if arguments are swapped, a name may be a whole conversation. @param {unknown} value */
function quoted(value) {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return describe(value);
  return /^[\w./-]{0,40}$/.test(value) ? `'${value}'` : `a string of ${value.length} units`;
}

/** The fields in which clients keep a wrapped error, such as a socket's. */
const CAUSE_FIELDS = ['cause', 'error', 'errors', 'lastError', 'response', 'reason'];
/** Errors to visit, because an error can reference a whole application. */ const MAX_CAUSES = 16;
/** System error codes within a sentence. They contain no content, and may be the only detail that a client gives. */
const SYSTEM_CODE =
  /\b(?:E(?:ADDR|AI_|AGAIN|CONN|HOST|NET|PIPE|PROTO|TIMEDOUT|NOTFOUND|ACCES|MFILE|NOENT|NOMEM|PERM)[A-Z_]*|UND_ERR_[A-Z_]+|(?:CERT|DEPTH|SELF_SIGNED|UNABLE_TO)_[A-Z_]+)\b/;

/** The code or status of an error or one that it wraps, else a system code in a message, else the class; never a provider's text. @param {unknown} error */
function codeNameOf(error) {
  const name = safely(() => {
    const errors = causesOf(error);
    const codes = errors.flatMap(({ code, status, statusCode }) => [code, status, statusCode]);
    const code = codes.find((value) => (typeof value === 'number' && value !== 0) || isCodeName(value));
    if (code !== undefined) return String(code);
    const messages = errors.map(({ message }) => message).filter((message) => typeof message === 'string');
    const systemCode = messages.map((message) => SYSTEM_CODE.exec(message)?.[0]).find((found) => found !== undefined);
    const classes = classNamesOf(errors).filter(isCodeName);
    return systemCode ?? classes.find((className) => !isGenericName(className)) ?? classes[0];
  });
  return name ?? 'error';
}

/** The error and the errors it wraps, outermost first. @param {unknown} error @returns {any[]} */
function causesOf(error) {
  /** @type {any[]} */ const errors = [];
  const queue = [error];
  for (let next = queue.shift(); queue.length > 0 || next !== undefined; next = queue.shift()) {
    if (typeof next !== 'object' || next === null || errors.includes(next)) continue;
    if (errors.push(next) === MAX_CAUSES) break;
    const causes = CAUSE_FIELDS.map((field) => /** @type {any} */ (next)[field]);
    queue.push(...causes.flatMap((cause) => (Array.isArray(cause) ? cause.slice(0, MAX_CAUSES) : [cause])));
  }
  return errors;
}

/** @param {any[]} errors */
const classNamesOf = (errors) => errors.flatMap((error) => [error.name, error.constructor?.name]);
/** True for a name that says nothing about the error. @param {unknown} name */
const isGenericName = (name) => /^(error|object|function)$/i.test(String(name));

/** The provider's innermost error type, else the name of its class; never its message. @param {any} error @returns {string | undefined} */
function errorClassOf(error) {
  return safely(() => {
    const { error: body, type, providerType, name } = error ?? {};
    const detail = body?.error;
    const types = [detail?.type, detail?.status, body?.type, body?.status, type, providerType];
    const names = [...types, name, ...classNamesOf(causesOf(error))];
    return names.find((candidate) => isCodeName(candidate) && !isGenericName(candidate));
  });
}

/** True for a short word without spaces, which can't be a provider's text. @param {unknown} value */
const isCodeName = (value) => typeof value === 'string' && /^[\w.-]{1,64}$/.test(value);
/** @param {string} message @param {unknown} [cause] */
const invalidArgument = (message, cause) =>
  Object.assign(new TypeError(message, causedBy(cause)), { code: 'ERR_INVALID_ARG_TYPE' });
/** The options of an error; without a cause, it has no such field. @param {unknown} cause */
const causedBy = (cause) => (cause === undefined ? undefined : { cause });
/** @param {string} name @param {string} expected @param {unknown} actual */
const wrongType = (name, expected, actual) =>
  withSafeMessage(invalidArgument(`${name}: expected ${expected}, got ${describe(actual)}`));

/** @param {string} name @param {string} expected @param {string} actual */
function outOfRange(name, expected, actual) {
  const error = new RangeError(`${name}: expected ${expected}, got ${actual}`);
  return withSafeMessage(Object.assign(error, { code: 'ERR_OUT_OF_RANGE' }));
}

/** Errors whose messages never show a value that was passed in, so they may be logged. @type {WeakSet<object>} */
const safeErrors = new WeakSet();

/** @template {Error} E @param {E} error @returns {E} */
function withSafeMessage(error) {
  safeErrors.add(error);
  return error;
}

/** The message of an error from {@link withSafeMessage}; empty for any other. @param {any} error @returns {string} */
const safeMessageOf = (error) => (safeErrors.has(error) ? error.message : '');

/** For an exported state that can't be imported. @param {string} expected @param {string} actual @param {unknown} [cause] */
function badState(expected, actual, cause) {
  const error = new RangeError(`state: expected ${expected}, got ${actual}`, causedBy(cause));
  return Object.assign(error, { code: 'ERR_BAD_STATE' });
}

/** Sets the name on the prototype: stack traces show it, and loops over an error's own fields skip it. @param {Function} type @param {string} name */
function nameErrors(type, name) {
  Object.defineProperty(type.prototype, 'name', { value: name, writable: true, configurable: true });
}

module.exports = {
  badState,
  causedBy,
  codeNameOf,
  describe,
  errorClassOf,
  invalidArgument,
  isClass,
  isRevoked,
  isThenable,
  nameErrors,
  outOfRange,
  quoted,
  safeMessageOf,
  withSafeMessage,
  wrongType,
};
