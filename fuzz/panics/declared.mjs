// @ts-check
/** Parses the declarations of both addons and creates valid arguments for them. */
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADDONS } from '../../scripts/addons.mjs';

const TEXT = ADDONS.map(({ types }) => readFileSync(new URL(`../../${types}`, import.meta.url), 'utf8')).join('\n');

/** @typedef {{ owner: string | null, name: string, kind: 'constructor' | 'getter' | 'function', types: string[], isAsync: boolean }} Declared */

/** Splits at separators outside of brackets. @param {string} text @param {string} separator @returns {string[]} */
function split(text, separator) {
  const parts = [''];
  let depth = 0;
  for (const [at, letter] of [...text].entries()) {
    if ('([{<'.includes(letter)) depth++;
    if (')]}'.includes(letter) || (letter === '>' && text[at - 1] !== '=')) depth--;
    if (letter === separator && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** @param {string} parameters @returns {string[]} */
const typesOf = (parameters) => split(parameters, ',').map((one) => one.slice(one.indexOf(':') + 1).trim());

/** @returns {Declared[]} */
export function declared() {
  /** @type {Declared[]} */
  const found = [];
  /** @type {string | null} */ let owner = null;
  for (const line of TEXT.split('\n')) {
    owner = /^export declare class (\w+)/.exec(line)?.[1] ?? (line === '}' ? null : owner);
    const getter = /^ {2}get (\w+)\(\)/.exec(line)?.[1];
    if (getter !== undefined) found.push({ owner, name: getter, kind: 'getter', types: [], isAsync: false });
    const named = owner === null ? /^export declare function (\w+)\((.*)$/.exec(line) : /^ {2}(\w+)\((.*)$/.exec(line);
    if (named === null) continue;
    const [, name = '', rest = ''] = named;
    const [parameters = '', result] = signature(rest);
    const kind = name === 'constructor' ? 'constructor' : 'function';
    found.push({ owner, name, kind, types: typesOf(parameters), isAsync: result.startsWith(': Promise<') });
  }
  return found;
}

/** Splits into the parameters and the text after their closing bracket. @param {string} rest @returns {[string, string]} */
function signature(rest) {
  let depth = 1;
  for (let at = 0; at < rest.length; at++) {
    if (rest[at] === '(') depth++;
    if (rest[at] === ')' && --depth === 0) return [rest.slice(0, at), rest.slice(at + 1)];
  }
  throw new Error(`no end of “${rest}”`);
}

const BATCH = { id: 'b', kind: 'summary', level: 1, at: 1, messages: [{ role: 'user', text: 'x', json: '{}' }] };

/** Arguments that can't be derived from types. @type {Record<string, unknown[]>} */
const SPECIAL = {
  'Archive.constructor': [
    join(tmpdir(), `palimpsest-panics-${process.pid}.db`),
    { busyTimeoutMs: 100, searchTimeoutMs: 100, allowSharedFile: true },
  ],
  'Archive.append': ['s', BATCH],
  'CacheSchedule.constructor': [{ price: 'anthropic' }],
  'Compressor.constructor': [{}],
  'HttpLlm.constructor': [{ baseUrl: 'http://127.0.0.1:9/v1', headers: [], caCertificates: [] }],
  'HttpLlm.chat': [JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x' }], max_tokens: 5 })],
  'Policy.constructor': [
    { purpose: 'view', orphans: 'answer', unknownAge: 'keep', cwd: '/', windows: false, rules: [] },
  ],
  'SessionAccounts.constructor': [{ lists: [], simulate: false, hindsight: false }],
  'TokenModel.constructor': [{}],
  checkPrices: ['anthropic'],
  sessionPicture: ['x', 1, null],
};

/**
 * Creates arguments for a declared function, one for each type.
 * @param {Declared} one
 * @param {(name: string) => unknown} instance creates an instance of a class
 */
export function argumentsFor({ owner, name, types }, instance) {
  const special = SPECIAL[owner === null ? name : `${owner}.${name}`] ?? [];
  return types.map((type, at) => (at < special.length ? special[at] : exampleOf(type, instance)));
}

/** @param {string} type @param {(name: string) => unknown} instance @returns {unknown} */
function exampleOf(type, instance) {
  if (type.startsWith('(') && type.includes('=>')) return async () => ({});
  const variants = split(type, '|').filter((variant) => !['null', 'undefined'].includes(variant));
  const [first = ''] = variants;
  const [, inAngles, inFront] = /^(?:Array<(.+)>|(.+)\[\])$/.exec(first) ?? [];
  const element = inAngles ?? inFront?.replace(/^\((.*)\)$/, '$1');
  if (element !== undefined) return [exampleOf(element, instance)];
  switch (first) {
    case 'number':
      return 1;
    case 'string':
      return 'x';
    case 'boolean':
      return true;
    case 'unknown':
      return {};
    case 'Float64Array':
      return new Float64Array(64);
    case 'Int16Array':
      return new Int16Array(1);
    case 'Int32Array':
      return new Int32Array(1);
  }
  if (first.startsWith('Record<')) return {};
  return TEXT.includes(`export declare class ${first} `) ? instance(first) : fieldsOf(first, instance);
}

/** @param {string} name name of an interface @param {(name: string) => unknown} instance */
function fieldsOf(name, instance) {
  const start = TEXT.indexOf(`export interface ${name} {`);
  if (start === -1) throw new Error(`no addon declares ${name}`);
  const lines = TEXT.slice(start, TEXT.indexOf('\n}', start)).split('\n');
  const fields = lines.flatMap((line) => {
    const [, field, type] = /^ {2}(\w+): (.+)$/.exec(line) ?? [];
    return field === undefined || type === undefined ? [] : [[field, exampleOf(type, instance)]];
  });
  return Object.fromEntries(fields);
}
