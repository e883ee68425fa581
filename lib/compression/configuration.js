// @ts-check
'use strict';

const { wrongType } = require('../errors.js');
const native = require('../native.js');

/** Below this key the agent server keeps the nested form. */
const NESTED_KEY = 'conversation.autoCompression';

/** @type {{ flat: string, nested: string }[] | undefined} */
let names;

/**
 * Reads what the host has configured, anew at each call (SPEC R7.1). A key by itself wins over the nested form; a
 * key whose reading throws counts as not given.
 */
class Configuration {
  #lookUp;

  /** @param {unknown} service a function, an object with `get`, or an object with the properties */
  constructor(service) {
    this.#lookUp = lookUpIn(service);
  }

  /** A value, or undefined, for each of the settings. @returns {unknown[]} */
  values() {
    names ??= native.settingNames();
    const nested = this.#read(NESTED_KEY);
    return names.map(({ flat, nested: path }) => {
      const own = this.#read(flat);
      return own ?? atPath(nested, path);
    });
  }

  /** @param {string} key */
  #read(key) {
    try {
      return this.#lookUp(key);
    } catch {
      return undefined;
    }
  }
}

/** @param {unknown} service @returns {(key: string) => unknown} */
function lookUpIn(service) {
  if (service !== null && typeof service === 'object') {
    const { get } = /** @type {any} */ (service);
    if (typeof get === 'function') return (key) => get.call(service, key);
    return (key) => /** @type {any} */ (service)[key] ?? atPath(service, key);
  }
  if (typeof service !== 'function') {
    throw wrongType('configService', 'a function, an object with get(key), or an object with the settings', service);
  }
  return (key) => {
    const value = service(key);
    // A function may also give the whole configuration, whatever it is asked for.
    const isWhole = value !== null && typeof value === 'object' && key !== NESTED_KEY;
    return isWhole ? (value[key] ?? atPath(value, key)) : wholeOrNested(value);
  };
}

/** @param {any} value what a function gave for the nested key */
function wholeOrNested(value) {
  return value !== null && typeof value === 'object' ? (atPath(value, NESTED_KEY) ?? value) : value;
}

/** @param {any} object @param {string} path */
function atPath(object, path) {
  return path
    .split('.')
    .reduce((value, key) => (value === null || value === undefined ? undefined : value[key]), object);
}

module.exports = { Configuration };
