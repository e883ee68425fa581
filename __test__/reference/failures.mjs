// @ts-check
/**
 * Reference for failures: true if a result reports that its call failed, by the rule of docs/cleanup.md (R1.5) in plain
 * JavaScript. Independent of the package; the reference for cleanup and the benches share it.
 */

const STATUSES = ['error', 'failed', 'incomplete'];
const TYPES = ['error-text', 'error-json', 'execution-denied', 'tool-error', 'output-error', 'output-denied'];
const EXIT_CODES = ['exitCode', 'exit_code', 'returncode', 'return_code'];
const NESTED = ['metadata', 'result', 'data', 'outcome'];
const RESULT_FIELDS = ['stdout', 'stderr', 'output', 'toolCallId', 'tool_call_id'];
const MAX_DATA_FIELDS = 4;

const FAILURE_PREFIX = /^\s*(?:Error:|Script failed|Script error:|<tool_use_error>)/;
const NO_ERROR = /^[\s()"']*(?:none|null|undefined|empty|no error|无|n\/a|)[\s()"']*$/i;
const EXIT_LINE = new RegExp(
  '^\\s*[[(<*#]*\\s*' +
    '(?:(?:the|command|process|script|program|shell|completed|finished|failed|exited|with)\\s+)*' +
    '(?:exit[ _]?code|exit status|exited with (?:status code|exit code|code|status)|returncode|退出码)' +
    '[ :：=>"]*(\\(none\\)|null|-?\\d+(?![\\d-]))',
  'i',
);
const LINES_PER_END = 5;
const MAX_LINE_LENGTH = 120;

/** True if a flag of the message says that the call failed. @param {any} message */
export function isMarked({ messageStatus, status, is_error, isError }) {
  return (is_error ?? isError) === true || STATUSES.includes(messageStatus) || STATUSES.includes(status);
}

/** @param {string} text @param {boolean} isCommand true if a line of the output may contain its exit code */
export function tellsFailure(text, isCommand) {
  const fromJson = /^[ \n\r\t]*[{[]/.test(text) ? failureInJson(text) : undefined;
  if (fromJson !== undefined) return fromJson;
  if (FAILURE_PREFIX.test(text)) return true;
  const exit = isCommand ? exitCodeLine(text) : undefined;
  return exit !== undefined && Number(exit) !== 0;
}

/** The first JSON object in `content`: agents append text of their own. @param {string} content */
export function leadingObject(content) {
  const strings = /"(?:[^"\\]|\\.)*"|[{}]/gs;
  let depth = 0;
  for (let found = strings.exec(content); found !== null; found = strings.exec(content)) {
    if (found[0] === '{') depth++;
    else if (found[0] === '}' && --depth === 0) return content.slice(0, strings.lastIndex);
  }
  return '';
}

/** @param {string} text @returns {any} undefined if it isn't JSON */
export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {string} text @returns {boolean | undefined} undefined if it reports neither success nor failure */
function failureInJson(text) {
  const value = parsed(text) ?? parsed(leadingObject(text));
  if (!Array.isArray(value)) return isObject(value) ? failureInObject(value) : undefined;
  const results = value.filter(
    (entry) => isObject(entry) && [entry.toolCallId, entry.tool_call_id].some((id) => typeof id === 'string'),
  );
  if (results.length === 1) return failureInObject(results[0]);
  return results.some((result) => failureInObject(result)) || undefined;
}

/** @param {any} result */
function failureInObject(result) {
  const inner = NESTED.map((name) => (Object.hasOwn(result, name) ? result[name] : undefined)).filter(isObject);
  const levels = [result, ...inner];
  const exit = levels.map((level) => exitOf(level, level !== result)).find((code) => code !== undefined);
  const success = levels.map((level) => successOf(level, level !== result)).find((value) => value !== undefined);
  const isResult = levels.some((level) => RESULT_FIELDS.some((name) => Object.hasOwn(level, name)));
  if (Object.keys(result).length > MAX_DATA_FIELDS && !isResult && exit === undefined) return undefined;
  const hasStderr = levels.some(({ stderr }) => isFilled(stderr));
  if (exit !== undefined) return exit !== 0 || hasStderr;
  if (success !== undefined) return !success || hasStderr;
  const hasError = levels.some(({ error, errors }) => isErrorValue(error) || isErrorValue(errors));
  const hasStatus = isResult && levels.some(({ status }) => STATUSES.includes(status));
  return hasError || hasStderr || hasStatus || undefined;
}

/** The exit code; NaN for a process that never started or that a signal ended. @param {any} level @param {boolean} isNested */
function exitOf(level, isNested) {
  const names = isNested ? ['exit', ...EXIT_CODES] : EXIT_CODES;
  const codes = names.filter((name) => Object.hasOwn(level, name)).map((name) => level[name]);
  const code = codes.findLast((value) => value === null || typeof value === 'number' || typeof value === 'string');
  if (code === undefined) return undefined;
  return code === null || (typeof code === 'string' && code.trim() === '') ? Number.NaN : Number(code);
}

/** @param {any} level @param {boolean} isNested */
function successOf(level, isNested) {
  for (const name of ['success', 'ok']) if (typeof level[name] === 'boolean') return level[name];
  for (const name of ['isError', 'is_error']) if (typeof level[name] === 'boolean') return !level[name];
  return TYPES.includes(level.type) || (isNested && level.type === 'timeout') ? false : undefined;
}

/** @param {string} text @returns {string | undefined} */
function exitCodeLine(text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const ends = [...lines.slice(0, LINES_PER_END), ...lines.slice(-LINES_PER_END).reverse()];
  const found = ends.map((line) => (line.length > MAX_LINE_LENGTH ? null : EXIT_LINE.exec(line)));
  return found.find((match) => match !== null)?.[1];
}

/** @param {unknown} value */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @param {unknown} value */
function isFilled(value) {
  return (typeof value === 'string' || Array.isArray(value)) && value.length > 0;
}

/** @param {unknown} value */
function isErrorValue(value) {
  if (typeof value === 'string') return !NO_ERROR.test(value);
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value === true;
}
