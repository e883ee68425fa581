// @ts-check
'use strict';

const { codeNameOf, wrongType } = require('../errors.js');
const native = require('../native.js');
const { once } = require('../once.js');
const { ignoreRejection } = require('../callbacks.js');
const { safely } = require('../plain-data.js');

/** Keys of the object with all compression settings (the section), of the object with the section, and of the context window's settings. */
const SECTION_KEY = 'autoCompression';
const CONVERSATION_KEY = 'conversation';
const WINDOW_KEY = 'contextLimit';

const settingNames = once(() => native.settingNames());

/**
 * @typedef {{ key: string, came: string }} Unreadable `came`: what was found instead of a value: `promise`, a type, or an error's code
 * @typedef {(key: string) => unknown} LookUp
 */

/** Read at each call (R7.1). Precedence: a flat key, the section in `conversation`, a section by itself; a context limit in a section before one next to it. */
class Configuration {
  #lookUp;
  /** The settings themselves, if the service is an object without `get`. */ #settings;

  /** @param {unknown} service a function, an object with `get`, or an object with the properties */
  constructor(service) {
    if (service === null || (typeof service !== 'object' && typeof service !== 'function')) {
      throw wrongType('configService', 'a function, an object with get(key), or an object with the settings', service);
    }
    this.#lookUp = lookUpIn(service);
    this.#settings = this.#lookUp === undefined ? service : undefined;
  }

  /** @param {Record<string, unknown>} overrides by flat name @returns {[values: unknown[], findings: import('../../binding.js').Findings]} a value for each setting */
  read(overrides) {
    const names = settingNames();
    const reading = new Reading(this.#lookUp ?? propertiesOf(this.#settings));
    // A service may return the whole configuration for any key.
    const first = this.#settings ?? reading.read(/** @type {any} */ (names[0]).flat);
    const configuration = isSection(first) ? first : undefined;
    if (configuration !== undefined) reading.lookUp = propertiesOf(configuration);
    const sections = reading.sections(configuration);
    const values = names.map(
      ({ flat, nested }) => overrides[flat] ?? reading.read(flat) ?? reading.firstIn(sections, nested),
    );
    const { unreadable, sectionKeys } = reading;
    return [values, { unreadable, sectionKeys, flatKeys: keysOf(configuration) }];
  }
}

/** One pass over a configuration. */
class Reading {
  /** @type {Unreadable[]} */ unreadable = [];
  /** The keys of all sections. @type {string[]} */ sectionKeys = [];

  /** @param {LookUp} lookUp */
  constructor(lookUp) {
    this.lookUp = lookUp;
  }

  /** The value; undefined, and its key noted, if it throws or is a promise. @param {string} key @param {LookUp} [lookUp] */
  read(key, lookUp = this.lookUp) {
    try {
      const value = lookUp(key);
      if (!ignoreRejection(value)) return value;
      this.#note(key, 'promise');
    } catch (error) {
      this.#note(key, codeNameOf(error));
    }
    return undefined;
  }

  /** The first section's value that is given. @param {readonly unknown[]} sections @param {string} path @returns {unknown} */
  firstIn(sections, path) {
    for (const section of sections) {
      const value = this.read(path, pathsOf(section));
      if (value !== undefined && value !== null) return value;
    }
    return undefined;
  }

  /** Objects that may hold settings, in order of precedence. A configuration without sections may itself be one. @param {unknown} configuration */
  sections(configuration) {
    const conversation = this.#section(CONVERSATION_KEY);
    const dotted = this.#section(`${CONVERSATION_KEY}.${SECTION_KEY}`);
    const bare = this.#section(SECTION_KEY);
    const first = dotted ?? this.#section(SECTION_KEY, pathsOf(conversation));
    const windows = [this.#section(WINDOW_KEY, pathsOf(conversation)), this.#section(WINDOW_KEY)];
    const named = [first, bare].filter((section) => section !== undefined);
    // Only collects the sections' key names, so that the core can report misspelt ones.
    for (const section of named) this.#section(WINDOW_KEY, pathsOf(section));
    const sections = named.length === 0 && configuration !== undefined ? [configuration] : named;
    return [...sections, ...windows.map((contextLimit) => ({ contextLimit }))];
  }

  /** The section at `key`; a boolean in its place switches compression on or off. @param {string} key @param {LookUp} [lookUp] */
  #section(key, lookUp) {
    const value = this.read(key, lookUp);
    if (value === undefined || value === null) return undefined;
    if (isSection(value)) {
      const prefix = key === WINDOW_KEY ? `${WINDOW_KEY}.` : '';
      if (key !== CONVERSATION_KEY) this.sectionKeys.push(...keysOf(value).map((name) => `${prefix}${name}`));
      return value;
    }
    if (typeof value === 'boolean' && key !== WINDOW_KEY && key !== CONVERSATION_KEY) return { enabled: value };
    this.#note(key, Array.isArray(value) ? 'array' : typeof value);
    return undefined;
  }

  /** @param {string} key @param {string} problem */
  #note(key, problem) {
    if (!this.unreadable.some((known) => known.came === problem)) this.unreadable.push({ key, came: problem });
  }
}

/** A function that looks up a key; undefined for an object with the settings themselves. @param {any} service @returns {LookUp | undefined} */
function lookUpIn(service) {
  if (typeof service === 'function') return (key) => service(key);
  if (typeof service.get !== 'function') return undefined;
  return (key) => {
    try {
      return service.get(key);
    } catch (error) {
      // Some services throw for missing keys.
      if (typeof service.has === 'function' && service.has(key) === false) return undefined;
      throw error;
    }
  };
}

/** Looks up `a.b` in nested objects. @param {any} object @returns {LookUp} */
const pathsOf = (object) => (path) => path.split('.').reduce((value, key) => value?.[key], object);
/** @param {any} settings @returns {LookUp} */
const propertiesOf = (settings) => (key) => settings[key] ?? pathsOf(settings)(key);
/** @param {unknown} value */
const isSection = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
/** @param {any} object @returns {string[]} */ const keysOf = (object) => safely(() => Object.keys(object)) ?? [];

module.exports = { Configuration };
