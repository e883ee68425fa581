// @ts-check
/** Reads a message list of any dialect that the package reads. An error says what was expected and found, and where. */
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { findJsonError } from './json-error.mjs';
import { loadInternals } from './library.mjs';
import { NotRegularError, readRegularFile } from './regular-file.mjs';
import { messageOf } from './wording.mjs';

/**
 * @import { MessageLike } from '../index.mjs'
 * @typedef {{ file: string, format: 'array' | 'object' | 'lines', messages: MessageLike[], oddEntries: number,
 *   source: Record<string, unknown> }} Session `file`: as on the command line, `-` for standard input; `messages`: all
 *   entries; `oddEntries`: how many of them are no messages (null, a number, no role); `source`: of the file, or empty
 */

const expectedForms =
  'expected a JSON array of messages, an object with a "messages" array, or JSON lines with one message per line';
/** Fields that may hold messages. */
const listFields = ['messages', 'history', 'contents', 'input', 'items', 'conversation', 'output'];

/** `message` says what was expected and what was found. */
export class SessionFileError extends Error {
  /** @override */ name = 'SessionFileError';

  /** @param {string} file @param {string} message @param {Partial<Record<'line' | 'column', number>>} [place] */
  constructor(file, message, { line, column } = {}) {
    super(message);
    this.file = file;
    this.line = line;
    this.column = column;
  }

  /** `file:line:column: message`, which editors and terminals turn into a link. */
  get located() {
    const place = [this.file, this.line, this.column].filter((part) => part !== undefined).join(':');
    return `${place}: ${this.message}`;
  }
}

/** @param {unknown} value @returns {value is MessageLike} */
const isMessage = (value) => loadInternals().list.isMessage(value);

/** @param {unknown} value */
function nameKind(value) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : `an array of ${value.length}`;
  if (typeof value !== 'object') return `a ${typeof value}`;
  const keys = Object.keys(value);
  if (keys.length === 0) return 'an empty object';
  const shown = keys.slice(0, 6).map((key) => JSON.stringify(key.length > 40 ? `${key.slice(0, 40)}…` : key));
  return `an object with ${shown.join(', ')}${keys.length > shown.length ? ', …' : ''}`;
}

/** Why a file can't be read. @param {any} error */
function readingProblem(error) {
  if (error instanceof NotRegularError) return `${expectedForms}; ${error.found}`;
  if (error.code === 'ENOENT') return 'no such file';
  if (['EACCES', 'EPERM'].includes(error.code)) return `${expectedForms}; reading it is not permitted`;
  const isTooLong = ['ERR_STRING_TOO_LONG', 'ERR_FS_FILE_TOO_LARGE'].includes(error.code);
  if (isTooLong) return 'expected a file that fits a JavaScript string (512 MB); this one is larger';
  return `could not be read: ${messageOf(error)}`;
}

/** @param {Buffer} bytes @returns {string | undefined} why they are no text */
function bytesProblem(bytes) {
  if (bytes.length === 0) return '; the file is empty';
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isUtf16) return ', in UTF-8; this file is UTF-16';
  // JSON holds no raw NUL; images, archives and executables nearly always do in their first bytes.
  return bytes.subarray(0, 8192).includes(0) ? '; this is a binary file' : undefined;
}

/** The text without a byte order mark. @param {string} file @throws {SessionFileError} */
function readText(file) {
  let problem;
  try {
    const bytes = file === '-' ? readFileSync(0) : readRegularFile(file);
    problem = bytesProblem(bytes);
    const text = problem === undefined ? bytes.toString('utf8').replace(/^\uFEFF/, '') : '';
    if (text.trim() !== '') return text;
  } catch (error) {
    throw new SessionFileError(file, readingProblem(error));
  }
  throw new SessionFileError(file, `${expectedForms}${problem ?? '; the file holds only white space'}`);
}

/** @param {string} text @returns {{ value: any } | undefined} */
function parseJson(text) {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/**
 * Guesses whether an invalid file was meant as JSON lines, for its error message: a broken JSON document also has
 * lines, and a file with one broken line may still be JSON lines.
 * @param {string} file @param {string} text
 */
function looksLikeLines(file, text) {
  if (['.jsonl', '.ndjson'].includes(extname(file).toLowerCase())) return true;
  const sample = text.split('\n', 40).filter((line) => line.trim() !== '');
  const [first = ''] = sample;
  // An incomplete but correct first line, such as `{"messages": [`, begins a document.
  if (parseJson(first) === undefined && findJsonError(first)?.column === first.length + 1) return false;
  const parsable = sample.filter((line) => line.trimStart().startsWith('{') && parseJson(line) !== undefined);
  return sample.length > 1 && parsable.length * 2 >= sample.length;
}

/** @param {string} file @param {string} text */
function sessionOfLines(file, text) {
  /** @type {unknown[]} */ const entries = [];
  let firstLine = 0;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const parsed = parseJson(line);
    if (parsed === undefined) {
      const error = findJsonError(line);
      const detail = error === null ? 'something else' : `${error.found} where ${error.expected} belongs`;
      const place = { line: index + 1, column: error?.column };
      throw new SessionFileError(file, `expected one JSON message on this line; got ${detail}`, place);
    }
    firstLine ||= index + 1;
    entries.push(parsed.value);
  }
  return toSession(file, 'lines', entries, undefined, firstLine);
}

/** @param {string} file @param {string} text */
function notJson(file, text) {
  const error = findJsonError(text);
  if (error === null) return new SessionFileError(file, `${expectedForms}; it could not be parsed`);
  const { line, column, expected, found } = error;
  // If the first character is invalid, the file was not meant as JSON.
  const isOtherText = line === 1 && column === 1;
  const message = isOtherText
    ? `${expectedForms}; got text that starts with ${found}`
    : `expected ${expected}; got ${found}`;
  return new SessionFileError(file, message, error);
}

/**
 * @param {string} file @param {Session['format']} format @param {any[]} entries @param {any} [source]
 * @param {number} [line] of the first entry @returns {Session}
 */
function toSession(file, format, entries, source, line) {
  const oddEntries = entries.filter((entry) => !isMessage(entry)).length;
  if (oddEntries === entries.length) {
    const others = `${entries.length} without one; the first is ${nameKind(entries[0])}`;
    const found = entries.length === 0 ? 'an empty array' : others;
    const expected = 'expected at least one message (an object with a string "role")';
    throw new SessionFileError(file, `${expected}; got ${found}`, { line });
  }
  return { file, format, messages: entries, oddEntries, source: typeof source === 'object' ? (source ?? {}) : {} };
}

/** @param {any} value an object @returns {any[] | undefined} undefined if there is no list of messages */
function messagesIn(value) {
  const [first, ...others] = listFields.filter((key) => Array.isArray(value[key]));
  if (first === undefined) return undefined;
  // Anthropic, OpenAI and Gemini requests keep the system prompt outside the messages.
  const prompt = value.system ?? value.instructions ?? value.systemInstruction ?? value.config?.systemInstruction;
  const content = prompt?.parts ?? prompt;
  const system = typeof content === 'string' || Array.isArray(content) ? [{ role: 'system', content }] : [];
  const question = typeof value.input === 'string' ? [{ role: 'user', content: value.input }] : [];
  // A recorded request may hold its response in `output`.
  const response = others.includes('output') ? value.output : [];
  return [...system, ...question, ...value[first], ...response];
}

/** @param {string} file a path, or `-` for standard input @returns {Session} @throws {SessionFileError} */
export function readSession(file) {
  const text = readText(file);
  const parsed = parseJson(text);
  if (parsed === undefined) {
    if (looksLikeLines(file, text)) return sessionOfLines(file, text);
    throw notJson(file, text);
  }
  const { value } = parsed;
  if (Array.isArray(value)) return toSession(file, 'array', value);
  if (isMessage(value)) return toSession(file, 'lines', [value]);
  const object = Object(value);
  const messages = messagesIn(object);
  if (messages !== undefined) return toSession(file, 'object', messages, object.source);
  if (!('messages' in object)) throw new SessionFileError(file, `${expectedForms}; got ${nameKind(value)}`);
  throw new SessionFileError(file, `expected "messages" to be an array; got ${nameKind(object.messages)}`);
}
