// @ts-check
/**
 * Reads a message list, one recorded session: a JSON array of messages, an object with such an array (a request body, a chat history), or JSON lines,
 * in any dialect that the package reads. An error says where, what was expected and what was found.
 */
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { findJsonError } from './json-error.mjs';
import { loadInternals } from './library.mjs';
import { NotRegularError, readRegularFile } from './regular-file.mjs';

/**
 * @typedef {import('../index.mjs').MessageLike} MessageLike
 *
 * @typedef {object} Session
 * @property {string} file path as given on the command line
 * @property {'array' | 'object' | 'lines'} format
 * @property {MessageLike[]} messages all entries, including those that are not messages
 * @property {number} oddEntries entries that are not messages (null, a number, no role)
 * @property {Record<string, unknown>} source the file's `source` object; empty if it has none
 */

const expectedForms =
  'a JSON array of messages, an object with a "messages" array, or JSON lines with one message per line';
const expectedMessage = 'at least one message (an object with a string "role")';
/** Fields that may hold messages. */
const listFields = ['messages', 'history', 'contents', 'input', 'items', 'conversation', 'output'];

/** `message` says what was expected and what was found. */
export class SessionFileError extends Error {
  /** @param {string} file @param {string} message @param {{ line: number, column?: number }} [place] */
  constructor(file, message, place) {
    super(message);
    this.name = 'SessionFileError';
    this.file = file;
    this.line = place?.line;
    this.column = place?.column;
  }

  /** `file:line:column: message`, which editors and terminals turn into a link. */
  get located() {
    const place = [this.file, this.line, this.column].filter((part) => part !== undefined).join(':');
    return `${place}: ${this.message}`;
  }
}

/**
 * @param {string} reason why a file is not a list of messages @param {string | undefined} refusal why it is not an agent's session either
 * @returns {string} a second line, or empty if `reason` contains it
 */
export function alsoRefused(reason, refusal) {
  return refusal === undefined || reason.includes(refusal) ? '' : `  ${refusal}\n`;
}

/** @param {unknown} value @returns {value is MessageLike} */
function isMessage(value) {
  return loadInternals().list.isMessage(value);
}

/** @param {unknown} value @returns {string} */
function nameKind(value) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : `an array of ${value.length}`;
  if (typeof value !== 'object') return `a ${typeof value}`;
  const keys = Object.keys(value);
  if (keys.length === 0) return 'an empty object';
  const shown = keys.slice(0, 6).map((key) => JSON.stringify(key.length > 40 ? `${key.slice(0, 40)}…` : key));
  return `an object with ${shown.join(', ')}${keys.length > shown.length ? ', …' : ''}`;
}

/** @param {string} file @param {unknown} error @returns {SessionFileError} */
function unreadable(file, error) {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const expected = `expected ${expectedForms}`;
  if (code === 'ENOENT') return new SessionFileError(file, 'no such file');
  if (error instanceof NotRegularError) return new SessionFileError(file, `${expected}; ${error.found}`);
  if (code === 'EACCES' || code === 'EPERM')
    return new SessionFileError(file, `${expected}; reading it is not permitted`);
  if (code === 'ERR_STRING_TOO_LONG' || code === 'ERR_FS_FILE_TOO_LARGE') {
    return new SessionFileError(file, `expected a file that fits a JavaScript string (512 MB); this one is larger`);
  }
  return new SessionFileError(file, `could not be read: ${error instanceof Error ? error.message : String(error)}`);
}

/** @param {string} file `-` is standard input @returns {Buffer} */
function readBytes(file) {
  return file === '-' ? readFileSync(0) : readRegularFile(file);
}

/** @param {string} file @param {Buffer} bytes @returns {string} without a byte order mark */
function decode(file, bytes) {
  const expected = `expected ${expectedForms}`;
  if (bytes.length === 0) throw new SessionFileError(file, `${expected}; the file is empty`);
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isUtf16) throw new SessionFileError(file, `${expected}, in UTF-8; this file is UTF-16`);
  // JSON holds no raw NUL; images, archives and executables nearly always do in their first bytes.
  if (bytes.subarray(0, 8192).includes(0)) throw new SessionFileError(file, `${expected}; this is a binary file`);
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (text.trim() === '') throw new SessionFileError(file, `${expected}; the file holds only white space`);
  return text;
}

/** @param {string} text @returns {{ value: unknown } | undefined} */
function parseJson(text) {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/**
 * Guesses whether an invalid file was meant as JSON lines, for its error message: a broken JSON document also has lines, and a file with
 * one broken line may still be JSON lines.
 *
 * @param {string} file @param {string} text @returns {boolean}
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

/** @param {string} file @param {string} text @returns {{ entries: unknown[], firstLine: number }} */
function parseLines(file, text) {
  /** @type {unknown[]} */
  const entries = [];
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
    if (entries.length === 0) firstLine = index + 1;
    entries.push(parsed.value);
  }
  return { entries, firstLine };
}

/** @param {string} file @param {string} text @returns {SessionFileError} */
function notJson(file, text) {
  const error = findJsonError(text);
  if (error === null) return new SessionFileError(file, `expected ${expectedForms}; it could not be parsed`);
  const { line, column, expected, found } = error;
  // If the first character is invalid, the file was not meant as JSON.
  const isOtherText = line === 1 && column === 1;
  const message = isOtherText
    ? `expected ${expectedForms}; got text that starts with ${found}`
    : `expected ${expected}; got ${found}`;
  return new SessionFileError(file, message, { line, column });
}

/**
 * @param {string} file @param {Session['format']} format @param {unknown[]} entries
 * @param {{ source?: unknown, line?: number }} [more] `line`: line of the first entry @returns {Session}
 */
function toSession(file, format, entries, { source, line } = {}) {
  const oddEntries = entries.filter((entry) => !isMessage(entry)).length;
  if (oddEntries === entries.length) {
    const actual =
      entries.length === 0 ? 'an empty array' : `${entries.length} without one; the first is ${nameKind(entries[0])}`;
    const place = line === undefined ? undefined : { line };
    throw new SessionFileError(file, `expected ${expectedMessage}; got ${actual}`, place);
  }
  const sourceFields = /** @type {Record<string, unknown>} */ (typeof source === 'object' ? (source ?? {}) : {});
  return { file, format, messages: /** @type {MessageLike[]} */ (entries), oddEntries, source: sourceFields };
}

/**
 * Anthropic, OpenAI and Gemini requests keep the system prompt outside the messages.
 * @param {any} body @returns {MessageLike[]}
 */
function systemPromptOf(body) {
  const prompt = body.system ?? body.instructions ?? body.systemInstruction ?? body.config?.systemInstruction;
  const content = prompt?.parts ?? prompt;
  return typeof content === 'string' || Array.isArray(content) ? [{ role: 'system', content }] : [];
}

/** @param {any} value an object @returns {unknown[] | undefined} undefined if there is no list of messages */
function messagesIn(value) {
  const question = typeof value.input === 'string' ? [{ role: 'user', content: value.input }] : [];
  const found = listFields.filter((key) => Array.isArray(value[key]));
  const [first] = found;
  if (first === undefined) return undefined;
  // A recorded request may hold its response in `output`.
  const response = first !== 'output' && found.includes('output') ? value.output : [];
  return [...systemPromptOf(value), ...question, ...value[first], ...response];
}

/**
 * Reads a list of messages. A file that the session readers recognised and refused stays refused, even if each entry has a `role`.
 * @param {string} file a path, or `-` for standard input
 * @param {ReadonlyMap<string, string>} refusals why each file is not a session of a known format @returns {Session}
 * @throws {SessionFileError} when the file is not a session
 */
export function readList(file, refusals) {
  const session = readSession(file);
  const refusal = refusals.get(file);
  if (refusal !== undefined) throw new SessionFileError(file, refusal);
  return session;
}

/**
 * @param {string} file a path, or `-` for standard input @returns {Session}
 * @throws {SessionFileError} when the file is not a session
 */
export function readSession(file) {
  let text;
  try {
    text = decode(file, readBytes(file));
  } catch (error) {
    throw error instanceof SessionFileError ? error : unreadable(file, error);
  }
  const parsed = parseJson(text);
  if (parsed === undefined) {
    if (!looksLikeLines(file, text)) throw notJson(file, text);
    const { entries, firstLine } = parseLines(file, text);
    return toSession(file, 'lines', entries, { line: firstLine });
  }
  const { value } = parsed;
  if (Array.isArray(value)) return toSession(file, 'array', value);
  if (isMessage(value)) return toSession(file, 'lines', [value]);
  if (typeof value !== 'object' || value === null) {
    throw new SessionFileError(file, `expected ${expectedForms}; got ${nameKind(value)}`);
  }
  const messages = messagesIn(value);
  if (messages !== undefined) {
    return toSession(file, 'object', messages, { source: 'source' in value ? value.source : undefined });
  }
  if (!('messages' in value)) throw new SessionFileError(file, `expected ${expectedForms}; got ${nameKind(value)}`);
  throw new SessionFileError(file, `expected "messages" to be an array; got ${nameKind(value.messages)}`);
}
