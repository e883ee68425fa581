// @ts-check
/**
 * Whether a result says that its call failed, or may have: the rule of docs/cleanup.md in plain JavaScript. The reference and
 * the JavaScript that benches compare with share it; it asks nothing of the product.
 */

const STATUSES = ['error', 'failed', 'incomplete'];
const TYPES = ['error-text', 'error-json', 'execution-denied', 'tool-error', 'output-error', 'output-denied'];
const EXIT_CODES = ['exitCode', 'exit_code', 'returncode', 'return_code'];
const NESTED = ['metadata', 'result', 'data', 'outcome'];
const OF_AN_ANSWER = ['stdout', 'stderr', 'output', 'toolCallId', 'tool_call_id'];
const MOST_MEMBERS_OF_DATA = 4;

const BEGINNING = /^\s*(?:Error:|Script failed|Script error:|<tool_use_error>)/;
const NOTHING = /^[\s()"']*(?:none|null|undefined|empty|no error|无|n\/a|)[\s()"']*$/i;
const EXIT_LINE = new RegExp(
  '^\\s*[[(<*#]*\\s*' +
    '(?:(?:the|command|process|script|program|shell|completed|finished|failed|exited|with)\\s+)*' +
    '(?:exit[ _]?code|exit status|exited with (?:status code|exit code|code|status)|returncode|退出码)' +
    '[ :：=>"]*(\\(none\\)|null|-?\\d+(?![\\d-]))',
  'i',
);
const LINES_AT_AN_END = 5;
const LONGEST_LINE = 120;

/** Whether the host marked the call as failed. @param {any} message */
export function isMarked({ messageStatus, status, is_error, isError }) {
  return (is_error ?? isError) === true || STATUSES.includes(messageStatus) || STATUSES.includes(status);
}

/** @param {string} text @param {boolean} isCommand whether a line of its output may give its exit code */
export function tellsFailure(text, isCommand) {
  const told = /^[ \n\r\t]*[{[]/.test(text) ? toldByJson(text) : undefined;
  if (told !== undefined) return told;
  if (BEGINNING.test(text)) return true;
  const exit = isCommand ? exitOnALine(text) : undefined;
  return exit !== undefined && Number(exit) !== 0;
}

/** What `content` holds up to the brace that closes its first one: hosts append their own text. @param {string} content */
export function leadingObject(content) {
  const strings = /"(?:[^"\\]|\\.)*"|[{}]/gs;
  let depth = 0;
  for (let found = strings.exec(content); found !== null; found = strings.exec(content)) {
    if (found[0] === '{') depth++;
    else if (found[0] === '}' && --depth === 0) return content.slice(0, strings.lastIndex);
  }
  return '';
}

/** @param {string} text @returns {any} undefined where it isn't JSON */
export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: not an error by this clause.
    return undefined;
  }
}

/** @param {string} text @returns {boolean | undefined} undefined where it says nothing of its call */
function toldByJson(text) {
  const value = parsed(text) ?? parsed(leadingObject(text));
  if (!Array.isArray(value)) return isObject(value) ? toldByObject(value) : undefined;
  const answers = value.filter(
    (entry) => isObject(entry) && [entry.toolCallId, entry.tool_call_id].some((id) => typeof id === 'string'),
  );
  if (answers.length === 1) return toldByObject(answers[0]);
  return answers.some((answer) => toldByObject(answer)) || undefined;
}

/** @param {any} answer */
function toldByObject(answer) {
  const inner = NESTED.map((name) => (Object.hasOwn(answer, name) ? answer[name] : undefined)).filter(isObject);
  const levels = [answer, ...inner];
  const exit = levels.map((level) => exitOf(level, level !== answer)).find((code) => code !== undefined);
  const success = levels.map((level) => successOf(level, level !== answer)).find((it) => it !== undefined);
  const isAnswer = levels.some((level) => OF_AN_ANSWER.some((name) => Object.hasOwn(level, name)));
  if (Object.keys(answer).length > MOST_MEMBERS_OF_DATA && !isAnswer && exit === undefined) return undefined;
  const hasStderr = levels.some(({ stderr }) => isFilled(stderr));
  if (exit !== undefined) return exit !== 0 || hasStderr;
  if (success !== undefined) return !success || hasStderr;
  const hasError = levels.some(({ error, errors }) => saysSomething(error) || saysSomething(errors));
  const hasStatus = isAnswer && levels.some(({ status }) => STATUSES.includes(status));
  return hasError || hasStderr || hasStatus || undefined;
}

/** A number; NaN for a process that never started or that a signal ended. @param {any} level @param {boolean} isNested */
function exitOf(level, isNested) {
  const names = isNested ? ['exit', ...EXIT_CODES] : EXIT_CODES;
  const codes = names.filter((name) => Object.hasOwn(level, name)).map((name) => level[name]);
  const code = codes.findLast((it) => it === null || typeof it === 'number' || typeof it === 'string');
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
function exitOnALine(text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const ends = [...lines.slice(0, LINES_AT_AN_END), ...lines.slice(-LINES_AT_AN_END).reverse()];
  const found = ends.map((line) => (line.length > LONGEST_LINE ? null : EXIT_LINE.exec(line)));
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
function saysSomething(value) {
  if (typeof value === 'string') return !NOTHING.test(value);
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value === true;
}
