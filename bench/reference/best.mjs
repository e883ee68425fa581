/**
 * The best plain JavaScript for the same work: what is known about a message is kept in a WeakMap and checked
 * against what it was read from, contents are looked into last and once, nothing is sorted that is in order.
 * It remembers no array, so it holds no conversation alive and every call walks the whole of it.
 */
import { posix, win32 } from 'node:path';

const TERMINAL_TOOLS = new Set([
  'terminal-execute',
  'bash',
  'shell',
  'exec_command',
  'execute_command',
  'run_command',
  'run_shell_command',
  'run_terminal_cmd',
  'run_in_terminal',
  'local_shell',
]);
const DEFAULT_PATH_KEYS = ['filePath'];
const DEFAULT_READ_TOOLS = new Set(['filesystem-read']);
const EMPTY = [];

/** What was found out about a tool result's content; null means nobody has asked yet. */
class Finding {
  constructor(message) {
    this.content = message.content;
    this.status = message.messageStatus;
    this.hasErrorStatus = null;
    this.looksTerminal = null;
    this.failure = null;
    this.seedFailure = null;
  }
}

const findings = new WeakMap();
const readPaths = new WeakMap();

function findingOf(message) {
  const known = findings.get(message);
  if (known !== undefined && known.content === message.content && known.status === message.messageStatus) return known;
  const fresh = new Finding(message);
  findings.set(message, fresh);
  return fresh;
}

export function cleanOrphanedToolCalls(messages) {
  while (removeOrphans(messages));
}

function removeOrphans(messages) {
  const declared = new Set();
  const answered = new Set();
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index];
    const role = message?.role;
    if (role === 'tool') {
      if (isId(message.tool_call_id)) answered.add(message.tool_call_id);
    } else if (role === 'assistant') {
      for (const call of callsOf(message)) if (isId(call?.id)) declared.add(call.id);
    }
  }
  if (sameIds(declared, answered)) return false;
  let length = 0;
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index];
    if (isOrphan(message, declared, answered)) continue;
    messages[length++] = message;
  }
  messages.length = length;
  return true;
}

function sameIds(declared, answered) {
  if (declared.size !== answered.size) return false;
  for (const id of declared) if (!answered.has(id)) return false;
  return true;
}

function isOrphan(message, declared, answered) {
  if (message?.role === 'tool') return isId(message.tool_call_id) && !declared.has(message.tool_call_id);
  if (message?.role !== 'assistant') return false;
  return callsOf(message).some((call) => isId(call?.id) && !answered.has(call.id));
}

export function simplifyOutdatedTerminalResults(messages, options = {}) {
  const { keepRecent = 5, maxAgeMs = 15 * 60_000, placeholder = '此命令返回内容已过时' } = options;
  const { countErrors = false, now = Date.now(), errors = 'exitCode' } = options;
  const order = newestFirst(messages);
  // The oldest decides whether there can be anything to do: most calls of a young session end here.
  if (order.length <= keepRecent || !(now - messages[order.at(-1)].timestamp > maxAgeMs)) return;
  const names = options.terminalTools
    ? new Set(options.terminalTools.map((name) => name.toLowerCase()))
    : TERMINAL_TOOLS;
  const rule = { names, known: new Map(), exitCode: errors === 'exitCode' };
  const calls = pairCalls(messages);
  let rank = 0;
  let position = 0;
  for (; position < order.length && rank < keepRecent; position++) {
    const index = order[position];
    if (countErrors || !isError(messages[index], isTerminal(messages[index], calls[index], rule), rule)) rank++;
  }
  for (; position < order.length; position++) {
    const index = order[position];
    const message = messages[index];
    if (!(now - message.timestamp > maxAgeMs)) continue;
    if (typeof message.content !== 'string' || message.content === placeholder) continue;
    if (!isTerminal(message, calls[index], rule) || isError(message, true, rule)) continue;
    messages[index] = { ...message, content: placeholder };
  }
}

export function simplifyHistoricalFileReads(messages, options = {}) {
  const { keepRecent = 5, pathKeys = DEFAULT_PATH_KEYS, projectRoot = process.cwd() } = options;
  const { placeholder = '[该文件的历史读取内容已压缩,请参看最新读取结果]' } = options;
  const { caseInsensitivePaths = process.platform === 'win32' } = options;
  const names = options.readTools ? new Set(options.readTools) : DEFAULT_READ_TOOLS;
  const spelling = { pathKeys, projectRoot, caseInsensitivePaths, key: '' };
  spelling.key = `${projectRoot}\0${caseInsensitivePaths}\0${pathKeys.join('\0')}`;
  const calls = pairCalls(messages);
  const order = newestFirst(messages);
  const counts = new Map();
  for (const index of order) {
    const call = calls[index];
    if (call === undefined || !names.has(call.function?.name)) continue;
    const message = messages[index];
    if (hasErrorStatus(message)) continue;
    const paths = pathsOf(call, spelling);
    let isCurrent = paths.length === 0;
    for (const path of paths) {
      const newer = counts.get(path) ?? 0;
      counts.set(path, newer + 1);
      if (newer < keepRecent) isCurrent = true;
    }
    if (isCurrent || typeof message.content !== 'string' || message.content === placeholder) continue;
    messages[index] = { ...message, content: placeholder };
  }
}

function isId(id) {
  return typeof id === 'string' && id !== '';
}

function callsOf(message) {
  return Array.isArray(message.tool_calls) ? message.tool_calls : EMPTY;
}

/** Indices of timed results, newest first. Histories are nearly always in order, so sorting is the exception. */
function newestFirst(messages) {
  const order = [];
  let isOrdered = true;
  let newer = Number.POSITIVE_INFINITY;
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    if (message?.role !== 'tool' || !Number.isFinite(message.timestamp)) continue;
    if (message.timestamp > newer) isOrdered = false;
    newer = message.timestamp;
    order.push(index);
  }
  if (isOrdered) return order;
  return order.sort((a, b) => messages[b].timestamp - messages[a].timestamp || b - a);
}

/** The call each result answers, by the result's index. */
function pairCalls(messages) {
  const latest = new Map();
  const calls = new Array(messages.length);
  const early = [];
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index];
    const role = message?.role;
    if (role === 'tool') {
      const id = message.tool_call_id;
      if (!isId(id)) continue;
      const call = latest.get(id);
      if (call !== undefined) calls[index] = call;
      else early.push(index);
    } else if (role === 'assistant') {
      for (const call of callsOf(message)) if (isId(call?.id)) latest.set(call.id, call);
    }
  }
  if (early.length > 0) pairEarly(messages, early, calls);
  return calls;
}

function pairEarly(messages, early, calls) {
  const first = new Map();
  for (const message of messages) {
    if (message?.role !== 'assistant') continue;
    for (const call of callsOf(message)) if (isId(call?.id) && !first.has(call.id)) first.set(call.id, call);
  }
  for (const index of early) calls[index] = first.get(messages[index].tool_call_id);
}

function isTerminal(message, call, rule) {
  const name = call?.function?.name;
  if (typeof name !== 'string') return looksTerminal(message);
  let isKnown = rule.known.get(name);
  if (isKnown === undefined) {
    isKnown = rule.names.has(name.toLowerCase());
    rule.known.set(name, isKnown);
  }
  return isKnown;
}

function looksTerminal(message) {
  const { content } = message;
  if (typeof content !== 'string') return false;
  const finding = findingOf(message);
  finding.looksTerminal ??=
    content.includes('"stdout":') || content.includes('"stderr":') || content.includes('"exitCode":');
  return finding.looksTerminal;
}

function isError(message, asTerminal, rule) {
  if (hasErrorStatus(message)) return true;
  if (!asTerminal || typeof message.content !== 'string') return false;
  const finding = findingOf(message);
  if (finding.failure === null) inspect(finding);
  return rule.exitCode ? finding.failure : finding.seedFailure;
}

function hasErrorStatus(message) {
  if (message.messageStatus === 'error') return true;
  const { content } = message;
  if (typeof content !== 'string') return false;
  const finding = findingOf(message);
  finding.hasErrorStatus ??= /^\s*Error:/.test(content);
  return finding.hasErrorStatus;
}

/** A key can also be spelled with escapes; anything without either key or an escape needs no parser. */
function inspect(finding) {
  finding.failure = false;
  finding.seedFailure = false;
  const { content } = finding;
  if (!/^\s*\{/.test(content)) return;
  if (!content.includes('"stderr"') && !content.includes('"exitCode"') && !content.includes('\\u')) return;
  try {
    const { stderr, exitCode } = JSON.parse(content);
    finding.seedFailure = (typeof stderr === 'string' || Array.isArray(stderr)) && stderr.length > 0;
    finding.failure = finding.seedFailure || (typeof exitCode === 'number' && exitCode !== 0);
  } catch {
    // Not JSON: not an error by this clause.
  }
}

function pathsOf(call, spelling) {
  const given = call.function.arguments;
  const text = typeof given === 'object' && given !== null ? JSON.stringify(given) : given;
  if (typeof text !== 'string') return EMPTY;
  const known = readPaths.get(call);
  if (known !== undefined && known.text === text && known.key === spelling.key) return known.paths;
  const paths = parsePaths(text, spelling);
  readPaths.set(call, { text, key: spelling.key, paths });
  return paths;
}

function parsePaths(text, { pathKeys, projectRoot, caseInsensitivePaths }) {
  let parsed;
  try {
    parsed = JSON.parse(text);
  } catch {
    return EMPTY;
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return EMPTY;
  const paths = new Set();
  for (const key of pathKeys) {
    const named = Object.hasOwn(parsed, key) ? parsed[key] : undefined;
    for (const entry of Array.isArray(named) ? named : [named]) {
      const path = typeof entry === 'string' ? entry : entry?.path;
      if (typeof path !== 'string' || path.trim() === '') continue;
      paths.add(normalizePath(path, projectRoot, caseInsensitivePaths));
    }
  }
  return [...paths];
}

const WINDOWS_PATH = /^(?:[A-Za-z]:(?:[\\/]|$)|\\\\[^\\/]+[\\/][^\\/]+)/;

function normalizePath(path, root, ignoreCase) {
  let absolute;
  if (WINDOWS_PATH.test(root)) absolute = win32.resolve(root, path);
  else absolute = WINDOWS_PATH.test(path) ? win32.resolve(path) : posix.resolve(root, path);
  if (/^[a-z]:/.test(absolute)) absolute = absolute[0].toUpperCase() + absolute.slice(1);
  return ignoreCase ? absolute.toLowerCase() : absolute;
}
