/**
 * The best plain JavaScript implementation for the same work. It caches facts about each message in a WeakMap and
 * validates them against the message's fields, scans contents last and only once, and sorts only if needed. It
 * remembers no array: it keeps no conversation alive, and each call walks all messages.
 */
import { posix, win32 } from 'node:path';
import { isMarked, parsed, tellsFailure } from '../../__test__/reference/failures.mjs';
import { dropDuplicates, turnsOf } from './duplicates.mjs';

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
const PLACEHOLDERS = {
  terminal: { zh: '此命令返回内容已过时', en: '[Outdated command output removed]' },
  fileReads: {
    zh: '[该文件的历史读取内容已压缩,请参看最新读取结果]',
    en: '[Earlier read of this file removed: see its latest read]',
  },
};
const DEFAULT_PATH_KEYS = ['filePath'];
const DEFAULT_READ_TOOLS = new Set(['filesystem-read']);
const EMPTY = [];

/** Facts about a tool result's content; null: not computed yet. */
class Finding {
  constructor(message, content) {
    this.content = content;
    this.status = message.messageStatus;
    this.hasErrorStatus = null;
    this.looksTerminal = null;
    this.failure = null;
    this.seedFailure = null;
  }
}

const findings = new WeakMap();
const readPaths = new WeakMap();

function findingOf(message, content) {
  const known = findings.get(message);
  if (known !== undefined && known.content === content && known.status === message.messageStatus) return known;
  const fresh = new Finding(message, content);
  findings.set(message, fresh);
  return fresh;
}

export function cleanOrphanedToolCalls(messages) {
  const { latest, early, excused, passedOver, calls, hasDuplicates } = pairCalls(messages);
  let isWhole = passedOver.length === 0 && early.length === 0;
  if (isWhole) for (const pair of latest.values()) isWhole &&= pair.answered;
  const turns = hasDuplicates ? turnsOf(messages) : EMPTY;
  const kept = isWhole ? undefined : dropOrphans(messages, latest, passedOver, calls, excused);
  if (!hasDuplicates) return;
  const left = isWhole ? calls : pairCalls(messages).calls;
  dropDuplicates(messages, (index) => left[index]?.declaredBy, kept?.map((index) => turns[index]) ?? turns);
}

/** Returns the indexes of the messages to keep. */
function dropOrphans(messages, latest, passedOver, calls, excused) {
  const unanswered = new Set(passedOver);
  for (const pair of latest.values()) if (!pair.answered) unanswered.add(pair.declaredBy);
  const kept = [];
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index];
    const pair = calls[index];
    const isResult = message?.role === 'tool' && isId(message.tool_call_id);
    const isLoose = pair === undefined && isResult && !excused.has(index);
    if (isLoose || unanswered.has(pair === undefined ? index : pair.declaredBy)) continue;
    messages[kept.length] = message;
    kept.push(index);
  }
  messages.length = kept.length;
  return kept;
}

export function simplifyOutdatedTerminalResults(messages, options = {}) {
  const { keepRecent = 5, maxAgeMs = 15 * 60_000 } = options;
  const texts = PLACEHOLDERS.terminal;
  const { placeholder = texts[options.placeholderLanguage ?? 'zh'] } = options;
  const { countErrors = false, now = Date.now(), errors = 'exitCode' } = options;
  const order = newestFirst(messages);
  // If the oldest result is not old enough, there is nothing to do; most calls of a young session end here.
  if (order.length <= keepRecent || !(now - messages[order.at(-1)].timestamp > maxAgeMs)) return;
  const names = options.terminalTools
    ? new Set(options.terminalTools.map((name) => name.toLowerCase()))
    : TERMINAL_TOOLS;
  const rule = { names, known: new Map(), exitCode: errors === 'exitCode' };
  const { calls } = pairCalls(messages);
  let rank = 0;
  let position = 0;
  for (; position < order.length && rank < keepRecent; position++) {
    const index = order[position];
    if (countErrors || !isError(messages[index], isTerminal(messages[index], calls[index]?.call, rule), rule)) rank++;
  }
  for (; position < order.length; position++) {
    const index = order[position];
    const message = messages[index];
    if (!(now - message.timestamp > maxAgeMs)) continue;
    if (isTextless(message) || isReplaced(textOf(message), placeholder, texts)) continue;
    if (!isTerminal(message, calls[index]?.call, rule) || isError(message, true, rule)) continue;
    messages[index] = { ...message, content: placeholder };
  }
}

export function simplifyHistoricalFileReads(messages, options = {}) {
  const { keepRecent = 5, pathKeys = DEFAULT_PATH_KEYS, projectRoot = process.cwd() } = options;
  const texts = PLACEHOLDERS.fileReads;
  const { placeholder = texts[options.placeholderLanguage ?? 'zh'] } = options;
  const { caseInsensitivePaths = process.platform === 'win32' } = options;
  const names = options.readTools ? new Set(options.readTools) : DEFAULT_READ_TOOLS;
  const spelling = { pathKeys, projectRoot, caseInsensitivePaths, key: '' };
  spelling.key = `${projectRoot}\0${caseInsensitivePaths}\0${pathKeys.join('\0')}`;
  const { calls } = pairCalls(messages);
  const order = newestFirst(messages);
  const counts = new Map();
  for (const index of order) {
    const call = calls[index]?.call;
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
    if (isCurrent || isTextless(message) || isReplaced(textOf(message), placeholder, texts)) continue;
    messages[index] = { ...message, content: placeholder };
  }
}

function isReplaced(content, placeholder, texts) {
  return content === placeholder || content === texts.zh || content === texts.en;
}

function isId(id) {
  return typeof id === 'string' && id !== '';
}

function callsOf(message) {
  return Array.isArray(message.tool_calls) ? message.tool_calls : EMPTY;
}

/** Indexes of results with a timestamp, newest first. Histories are nearly always in order, so sorting is rarely needed. */
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

/** The call of each result, by the result's index. Ids may be reused. */
function pairCalls(messages) {
  const latest = new Map();
  const calls = new Array(messages.length);
  const early = [];
  const passedOver = [];
  let hasDuplicates = false;
  let turns;
  const unknownTurns = new Set();
  const excused = new Set();
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index];
    const role = message?.role;
    if (role === 'tool') {
      const id = message.tool_call_id;
      if (!isId(id)) {
        turns ??= turnsOf(messages);
        excuse(messages, index, latest, turns);
        continue;
      }
      const pair = latest.get(id);
      if (pair === undefined) {
        early.push(index);
        if (unknownTurns.has(turns?.[index])) excused.add(index);
      } else {
        hasDuplicates ||= pair.answered === true;
        pair.answered = true;
        calls[index] = pair;
      }
    } else if (role === 'Tool') {
      turns ??= turnsOf(messages);
      unknownTurns.add(turns[index]);
      excuse(messages, index, latest, turns);
    } else if (role === 'assistant') {
      for (const call of callsOf(message))
        if (isId(call?.id)) hasDuplicates = declare(call, index, latest, passedOver) || hasDuplicates;
    }
  }
  if (early.length > 0) pairEarly(messages, early, calls, latest, passedOver);
  hasDuplicates ||= early.length > 0;
  const loose = early.filter((index) => calls[index] === undefined && !excused.has(index));
  return { latest, early: loose, excused, passedOver, calls, hasDuplicates };
}

/** A result without an id may belong to any call of its turn. */
function excuse(messages, index, latest, turns) {
  for (let at = index - 1; at >= 0 && turns[at] === turns[index]; at--) {
    if (messages[at]?.role !== 'assistant') continue;
    for (const call of callsOf(messages[at])) {
      const pair = isId(call?.id) ? latest.get(call.id) : undefined;
      if (pair?.declaredBy === at) pair.answered ||= 'perhaps';
    }
  }
}

function declare(call, declaredBy, latest, passedOver) {
  const before = latest.get(call.id);
  if (before !== undefined && before.declaredBy === declaredBy) {
    before.call = call;
    return true;
  }
  if (before !== undefined && !before.answered) passedOver.push(before.declaredBy);
  latest.set(call.id, { call, declaredBy, answered: false });
  return false;
}

/** Results before their call: they answer the first call with their id. */
function pairEarly(messages, early, calls, latest, passedOver) {
  const first = new Map();
  for (let index = 0; index < messages.length; index++) {
    if (messages[index]?.role !== 'assistant') continue;
    for (const call of callsOf(messages[index])) {
      if (isId(call?.id) && !first.has(call.id)) first.set(call.id, { call, declaredBy: index, answered: true });
    }
  }
  for (const index of early) {
    const id = messages[index].tool_call_id;
    const pair = first.get(id);
    if (pair === undefined) continue;
    calls[index] = pair;
    if (latest.get(id).declaredBy === pair.declaredBy) latest.get(id).answered = true;
  }
  const answered = new Set();
  for (const pair of calls) if (pair !== undefined) answered.add(`${pair.declaredBy} ${pair.call.id}`);
  const isAnswered = (at) => callsOf(messages[at]).every((call) => !isId(call?.id) || answered.has(`${at} ${call.id}`));
  passedOver.splice(0, passedOver.length, ...passedOver.filter((at) => !isAnswered(at)));
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

/** A list of texts counts as these texts, joined by line breaks. */
function textOf({ content }) {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content) || !content.every((part) => typeof part?.text === 'string')) return undefined;
  return content.map(({ text }) => text).join('\n');
}

function isTextless(message) {
  return textOf(message) === undefined;
}

function looksTerminal(message) {
  const content = textOf(message);
  if (content === undefined) return false;
  const finding = findingOf(message, content);
  finding.looksTerminal ??=
    content.includes('"stdout":') || content.includes('"stderr":') || content.includes('"exitCode":');
  return finding.looksTerminal;
}

function isError(message, asTerminal, rule) {
  if (hasErrorStatus(message)) return true;
  if (!asTerminal || isTextless(message)) return false;
  const finding = findingOf(message, textOf(message));
  if (rule.exitCode) finding.failure ??= tellsFailure(finding.content, true);
  else finding.seedFailure ??= hasStderr(finding.content);
  return rule.exitCode ? finding.failure : finding.seedFailure;
}

function hasErrorStatus(message) {
  if (isMarked(message)) return true;
  const content = textOf(message);
  if (content === undefined) return false;
  const finding = findingOf(message, content);
  finding.hasErrorStatus ??= /^\s*Error:/.test(content);
  return finding.hasErrorStatus;
}

function hasStderr(content) {
  if (!/^\s*\{/.test(content) || !(content.includes('"stderr"') || content.includes('\\u'))) return false;
  const stderr = parsed(content)?.stderr;
  return (typeof stderr === 'string' || Array.isArray(stderr)) && stderr.length > 0;
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
