/**
 * Reference for the rules of cleanup: plain TypeScript that recomputes everything at each call, as agents did before.
 * Tests compare the package with it, and benches measure the package against it.
 */
import { posix, win32 } from 'node:path';
import { dropDuplicates, turnsOf } from './duplicates.mjs';
import { isMarked, tellsFailure } from './failures.mjs';

export interface ToolCall {
  id?: string;
  function?: { name?: string; arguments?: string | object };
}

export interface Message {
  role: string;
  content?: unknown;
  tool_calls?: readonly ToolCall[] | null;
  tool_call_id?: string;
  timestamp?: number;
  messageStatus?: string;
}

/** The text that replaces a content. */
export interface Wording {
  placeholder?: string;
  placeholderLanguage?: 'zh' | 'en';
  /**
   * The rules of prepareMessages: only a shorter text replaces content, no result is older than one before it, a result
   * is replaced only before an assistant message, and each tool's text is searched for a failure.
   */
  prepares?: boolean;
  /** With `prepares`: for each result, the newest time up to it, from {@link newestTimes}. */
  times?: ReadonlyMap<object, readonly number[]>;
}

export interface AgeOptions extends Wording {
  now?: number;
  keepRecent?: number;
  maxAgeMs?: number;
  countErrors?: boolean;
}

export interface TerminalOptions extends AgeOptions {
  terminalTools?: readonly string[];
  errors?: 'exitCode' | 'seed';
}

export interface TextSearchOptions extends AgeOptions {
  searchTools?: readonly string[];
}

export interface FileReadOptions extends Wording {
  keepRecent?: number;
  ignoreCase?: boolean;
  readTools?: readonly string[];
  pathKeys?: readonly string[];
  projectRoot?: string;
  caseInsensitivePaths?: boolean;
}

/** A declared call, and the index of its message. */
interface Pair {
  call: ToolCall;
  declaredBy: number;
}

interface Candidate {
  index: number;
  timestamp: number;
  isError: boolean;
}

const TERMINAL_TOOLS = [
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
];
const PLACEHOLDERS = {
  terminal: { zh: '此命令返回内容已过时', en: '[Outdated command output removed]' },
  fileReads: {
    zh: '[该文件的历史读取内容已压缩,请参看最新读取结果]',
    en: '[Earlier read of this file removed: see its latest read]',
  },
  textSearch: { zh: '本次搜索结果已过时,故精简为占位符', en: '[Outdated search results removed]' },
};
const TERMINAL_MARKERS = ['"stdout":', '"stderr":', '"exitCode":'];

/**
 * Removes assistant messages with an unanswered call and the results of their other calls, and results without a call,
 * until nothing changes. Ids may repeat: a call is answered by the results that are paired with it.
 */
export function cleanOrphanedToolCalls(messages: Message[]): void {
  let turns: number[] = turnsOf(messages);
  let excused = excusedCalls(messages, turns);
  for (;;) {
    const pairs = pairCalls(messages);
    const answered = new Set<string>();
    excused.forEach((ids, index) => {
      for (const id of ids) answered.add(`${index} ${id}`);
    });
    for (const { call, declaredBy } of pairs.values()) answered.add(`${declaredBy} ${call.id}`);
    const isUnanswered = (message: Message, index: number): boolean =>
      declaredCalls(message).some((call) => isId(call?.id) && !answered.has(`${index} ${call.id}`));
    const unanswered = new Set<number>();
    messages.forEach((message, index) => {
      if (isUnanswered(message, index)) unanswered.add(index);
    });
    const isOrphan = (message: Message, index: number): boolean => {
      if (message?.role !== 'tool') return unanswered.has(index);
      const pair = pairs.get(index);
      if (pair === undefined && followsUnknownInTurn(messages, turns, index)) return false;
      return isId(message.tool_call_id) && (pair === undefined || unanswered.has(pair.declaredBy));
    };
    const isKept = Array.from(messages, (message, index) => !isOrphan(message, index));
    if (isKept.every(Boolean)) {
      dropDuplicates(messages, (index: number) => pairs.get(index)?.declaredBy, turns);
      return;
    }
    const kept = Array.from(messages).filter((_, index) => isKept[index]);
    messages.splice(0, messages.length, ...kept);
    turns = turns.filter((_, index) => isKept[index]);
    excused = excused.filter((_, index) => isKept[index]);
  }
}

/** An unknown role: the message may be a result. */
function isUnknown(message: Message): boolean {
  return message?.role === 'Tool';
}

function followsUnknownInTurn(messages: Message[], turns: number[], index: number): boolean {
  return messages.slice(0, index).some((message, at) => turns[at] === turns[index] && isUnknown(message));
}

/** For each message, the ids of its calls that a result without an id may answer: they are not orphans. */
function excusedCalls(messages: Message[], turns: number[]): Set<string>[] {
  const excused = Array.from(messages, () => new Set<string>());
  messages.forEach((message, index) => {
    const isUnnamed = message?.role === 'tool' && !isId(message.tool_call_id);
    if (!isUnnamed && !isUnknown(message)) return;
    const last = new Map<string, number>();
    messages.slice(0, index).forEach((other, at) => {
      if (turns[at] !== turns[index]) return;
      for (const call of declaredCalls(other)) if (isId(call?.id)) last.set(call.id, at);
    });
    for (const [id, at] of last) excused[at]?.add(id);
  });
  return excused;
}

/**
 * For each result, the newest time of all results up to it, in each slot where it is not removed as an orphan. One
 * object may be in several slots.
 */
export function newestTimes(messages: Message[]): Map<object, number[]> {
  const times = new Map<object, number[]>();
  const slots = messages.map((message) => (isTimedResult(message) ? { ...message } : message));
  const kept = [...slots];
  cleanOrphanedToolCalls(kept);
  const keptSlots = new Set<unknown>(kept);
  let newest = Number.NEGATIVE_INFINITY;
  messages.forEach((message, index) => {
    if (!isTimedResult(message)) return;
    newest = Math.max(newest, message.timestamp);
    // The time of an orphan still counts for the clock.
    const holder = keptSlots.has(slots[index]) ? message : (slots[index] as Message);
    times.set(holder, [...(times.get(holder) ?? []), newest]);
  });
  return times;
}

/** Replaces successful terminal results that are neither recent nor among the newest. */
export function simplifyOutdatedTerminalResults(messages: Message[], options: TerminalOptions = {}): void {
  const { keepRecent = 5, maxAgeMs = 15 * 60_000 } = options;
  const { countErrors = false, errors = 'exitCode' } = options;
  const now = nowOf(options);
  const names = new Set((options.terminalTools ?? TERMINAL_TOOLS).map((name) => name.toLowerCase()));
  const pairs = pairCalls(messages);
  const candidates: Candidate[] = [];
  const terminal = new Set<number>();
  const times = timesOf(messages, options);
  messages.forEach((message, index) => {
    if (!isTimedResult(message)) return;
    const name = pairs.get(index)?.call.function?.name;
    const isTerminal = typeof name === 'string' ? names.has(name.toLowerCase()) : looksTerminal(textOf(message));
    if (isTerminal) terminal.add(index);
    const text = textOf(message) ?? '';
    const isFailure =
      errors === 'seed'
        ? isTerminal && hasStderr(text)
        : (isTerminal || options.prepares) && tellsFailure(text, isTerminal);
    const isError = hasErrorStatus(message) || isFailure === true;
    candidates.push({ index, timestamp: times[index] as number, isError });
  });
  for (const { index, timestamp, isError } of beyondNewest(candidates, keepRecent, countErrors)) {
    if (!isError && terminal.has(index) && now - timestamp > maxAgeMs)
      replace(messages, index, PLACEHOLDERS.terminal, options);
  }
}

/** Replaces successful text search results that are neither recent nor among the newest. */
export function simplifyTextSearchResults(messages: Message[], options: TextSearchOptions = {}): void {
  const { keepRecent = 5, maxAgeMs = 10 * 60_000 } = options;
  const { countErrors = false, now = Date.now() } = options;
  const names = new Set(options.searchTools ?? ['ace-text_search']);
  const pairs = pairCalls(messages);
  const candidates: Candidate[] = [];
  messages.forEach((message, index) => {
    if (!isTimedResult(message)) return;
    candidates.push({ index, timestamp: message.timestamp, isError: hasErrorStatus(message) });
  });
  for (const { index, timestamp, isError } of beyondNewest(candidates, keepRecent, countErrors)) {
    const name = pairs.get(index)?.call.function?.name;
    if (isError || typeof name !== 'string' || !names.has(name)) continue;
    if (now - timestamp > maxAgeMs) replace(messages, index, PLACEHOLDERS.textSearch, options);
  }
}

/** Replaces reads that are not among the newest of any of their files. */
export function simplifyHistoricalFileReads(messages: Message[], options: FileReadOptions = {}): void {
  const { keepRecent = 5, projectRoot = process.cwd(), pathKeys = ['filePath'] } = options;
  const { caseInsensitivePaths = process.platform === 'win32' } = options;
  const fold = (name: string): string => (options.ignoreCase ? name.toLowerCase() : name);
  const names = new Set((options.readTools ?? ['filesystem-read']).map(fold));
  const pairs = pairCalls(messages);
  const times = timesOf(messages, options);
  const readsByPath = new Map<string, Candidate[]>();
  messages.forEach((message, index) => {
    if (!isTimedResult(message) || hasErrorStatus(message)) return;
    if (options.prepares && tellsFailure(textOf(message) ?? '', false)) return;
    const called = pairs.get(index)?.call.function;
    if (typeof called?.name !== 'string' || !names.has(fold(called.name))) return;
    const spelled = pathsOf(called.arguments, pathKeys);
    const paths = new Set(spelled.map((path) => normalizePath(path, projectRoot, caseInsensitivePaths)));
    for (const path of paths) {
      const reads = readsByPath.get(path) ?? [];
      readsByPath.set(path, reads);
      reads.push({ index, timestamp: times[index] as number, isError: false });
    }
  });
  const outdated = new Set<number>();
  const current = new Set<number>();
  for (const reads of readsByPath.values()) {
    reads.sort(newestFirst).forEach(({ index }, rank) => {
      (rank < keepRecent ? current : outdated).add(index);
    });
  }
  for (const index of outdated) if (!current.has(index)) replace(messages, index, PLACEHOLDERS.fileReads, options);
}

/** For each slot, the time that its result's age is computed from. */
function timesOf(messages: Message[], { times }: Wording): number[] {
  const slots = new Map<object, number>();
  return messages.map((message) => {
    if (!isTimedResult(message)) return Number.NaN;
    const slot = slots.get(message) ?? 0;
    slots.set(message, slot + 1);
    return times?.get(message)?.[slot] ?? message.timestamp;
  });
}

/** At least the newest result's time: the clock may have been set back. */
function nowOf({ now = Date.now(), times }: AgeOptions): number {
  return Math.max(now, ...[...(times?.values() ?? [])].flat());
}

function isId(id: unknown): id is string {
  return typeof id === 'string' && id !== '';
}

function declaredCalls(message: Message): readonly ToolCall[] {
  return message?.role === 'assistant' && Array.isArray(message.tool_calls) ? message.tool_calls : [];
}

/** The call that each result answers. Ids may repeat: it is the nearest call before the result, else the first one; in a message the last. */
function pairCalls(messages: Message[]): Map<number, Pair> {
  const first = new Map<string, Pair>();
  messages.forEach((message, declaredBy) => {
    for (const call of declaredCalls(message)) {
      if (!isId(call?.id)) continue;
      if ((first.get(call.id)?.declaredBy ?? declaredBy) === declaredBy) first.set(call.id, { call, declaredBy });
    }
  });
  const latest = new Map<string, Pair>();
  const pairs = new Map<number, Pair>();
  messages.forEach((message, index) => {
    for (const call of declaredCalls(message)) if (isId(call?.id)) latest.set(call.id, { call, declaredBy: index });
    if (message?.role !== 'tool' || !isId(message.tool_call_id)) return;
    const pair = latest.get(message.tool_call_id) ?? first.get(message.tool_call_id);
    if (pair) pairs.set(index, pair);
  });
  return pairs;
}

function isTimedResult(message: Message): message is Message & { timestamp: number } {
  return message?.role === 'tool' && Number.isFinite(message.timestamp);
}

/** A content that is a list of texts is their lines. */
function textOf({ content }: Message): string | undefined {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : undefined;
  const texts = content.map((part) => part?.text);
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : undefined;
}

function looksTerminal(content: unknown): boolean {
  return typeof content === 'string' && TERMINAL_MARKERS.some((marker) => content.includes(marker));
}

function hasErrorStatus(message: Message): boolean {
  if (isMarked(message)) return true;
  return textOf(message)?.trimStart().startsWith('Error:') ?? false;
}

/** The agents' own rule (`errors: 'seed'`): the content is one object, and only `stderr` counts. */
function hasStderr(content: string): boolean {
  if (!/^\s*\{/.test(content)) return false;
  try {
    const { stderr } = JSON.parse(content);
    return (typeof stderr === 'string' || Array.isArray(stderr)) && stderr.length > 0;
  } catch {
    return false;
  }
}

function newestFirst(a: Candidate, b: Candidate): number {
  return b.timestamp - a.timestamp || b.index - a.index;
}

function beyondNewest(candidates: Candidate[], keepRecent: number, countErrors: boolean): Candidate[] {
  let counted = 0;
  return candidates.sort(newestFirst).filter(({ isError }) => {
    if (isError && !countErrors) return false;
    counted += 1;
    return counted > keepRecent;
  });
}

function replace(messages: Message[], index: number, texts: { zh: string; en: string }, options: Wording): void {
  const message = messages[index];
  const placeholder = options.placeholder ?? texts[options.placeholderLanguage ?? 'zh'];
  const text = message && textOf(message);
  if (text === undefined) return;
  if ([placeholder, texts.zh, texts.en].includes(text)) return;
  if (options.prepares && text.length <= placeholder.length) return;
  if (options.prepares && index > messages.findLastIndex((other) => other?.role === 'assistant')) return;
  messages[index] = { ...message, content: placeholder };
}

/** @param callArguments JSON text, or the parsed object, as some agents store it */
function pathsOf(callArguments: unknown, pathKeys: readonly string[]): string[] {
  try {
    const parsed = JSON.parse(
      typeof callArguments === 'object' ? JSON.stringify(callArguments) : String(callArguments),
    );
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return [];
    const named = pathKeys.filter((key) => Object.hasOwn(parsed, key)).flatMap((key) => parsed[key]);
    const paths = named.map((entry) => (typeof entry === 'string' ? entry : entry?.path));
    return paths.filter((path) => typeof path === 'string' && path.trim() !== '');
  } catch {
    return [];
  }
}

const WINDOWS_PATH = /^(?:[A-Za-z]:(?:[\\/]|$)|\\\\[^\\/]+[\\/][^\\/]+)/;

/** The absolute path, so that relative and absolute spellings are equal. */
function normalizePath(path: string, root: string, ignoreCase: boolean): string {
  const isWindows = WINDOWS_PATH.test(root) || WINDOWS_PATH.test(path);
  const absolute = isWindows
    ? (WINDOWS_PATH.test(root) ? win32.resolve(root, path) : win32.resolve(path)).replace(/^[a-z]:/, (drive) =>
        drive.toUpperCase(),
      )
    : posix.resolve(root, path);
  return ignoreCase ? absolute.toLowerCase() : absolute;
}
