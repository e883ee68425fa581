/**
 * The plain way to do it: copy-on-write, everything recomputed at every call, as hosts do today.
 * Tests compare the product with it, benches measure the product against it; nothing else uses it.
 */
import { posix, win32 } from 'node:path';

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

export interface AgeOptions {
  now?: number;
  keepRecent?: number;
  maxAgeMs?: number;
  placeholder?: string;
  countErrors?: boolean;
}

export interface TerminalOptions extends AgeOptions {
  terminalTools?: readonly string[];
  errors?: 'exitCode' | 'seed';
}

export interface TextSearchOptions extends AgeOptions {
  searchTools?: readonly string[];
}

export interface FileReadOptions {
  keepRecent?: number;
  readTools?: readonly string[];
  pathKeys?: readonly string[];
  projectRoot?: string;
  caseInsensitivePaths?: boolean;
  placeholder?: string;
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
const TERMINAL_MARKERS = ['"stdout":', '"stderr":', '"exitCode":'];

/** Assistant messages with an unanswered call and results without a call go, until none is left. */
export function cleanOrphanedToolCalls(messages: Message[]): void {
  for (;;) {
    const declared = new Set<string>();
    const answered = new Set<string>();
    for (const message of messages) {
      for (const call of declaredCalls(message)) if (isId(call?.id)) declared.add(call.id);
      if (message?.role === 'tool' && isId(message.tool_call_id)) answered.add(message.tool_call_id);
    }
    const isOrphan = (message: Message): boolean => {
      if (message?.role === 'tool') return isId(message.tool_call_id) && !declared.has(message.tool_call_id);
      return declaredCalls(message).some((call) => isId(call?.id) && !answered.has(call.id));
    };
    const kept = Array.from(messages).filter((message) => !isOrphan(message));
    if (kept.length === messages.length) return;
    messages.splice(0, messages.length, ...kept);
  }
}

/** Successful terminal results that are neither recent nor among the newest become a placeholder. */
export function simplifyOutdatedTerminalResults(messages: Message[], options: TerminalOptions = {}): void {
  const { keepRecent = 5, maxAgeMs = 15 * 60_000, placeholder = '此命令返回内容已过时' } = options;
  const { countErrors = false, errors = 'exitCode', now = Date.now() } = options;
  const names = new Set((options.terminalTools ?? TERMINAL_TOOLS).map((name) => name.toLowerCase()));
  const calls = pairCalls(messages);
  const candidates: Candidate[] = [];
  const terminal = new Set<number>();
  messages.forEach((message, index) => {
    if (!isTimedResult(message)) return;
    const name = calls.get(index)?.function?.name;
    const isTerminal = typeof name === 'string' ? names.has(name.toLowerCase()) : looksTerminal(message.content);
    if (isTerminal) terminal.add(index);
    const isError = hasErrorStatus(message) || (isTerminal && reportsFailure(message.content, errors === 'exitCode'));
    candidates.push({ index, timestamp: message.timestamp, isError });
  });
  for (const { index, timestamp, isError } of beyondNewest(candidates, keepRecent, countErrors)) {
    if (!isError && terminal.has(index) && now - timestamp > maxAgeMs) replace(messages, index, placeholder);
  }
}

/** Successful text search results that are neither recent nor among the newest become a placeholder. */
export function simplifyTextSearchResults(messages: Message[], options: TextSearchOptions = {}): void {
  const { keepRecent = 5, maxAgeMs = 10 * 60_000, placeholder = '本次搜索结果已过时,故精简为占位符' } = options;
  const { countErrors = false, now = Date.now() } = options;
  const names = new Set(options.searchTools ?? ['ace-text_search']);
  const calls = pairCalls(messages);
  const candidates: Candidate[] = [];
  messages.forEach((message, index) => {
    if (!isTimedResult(message)) return;
    candidates.push({ index, timestamp: message.timestamp, isError: hasErrorStatus(message) });
  });
  for (const { index, timestamp, isError } of beyondNewest(candidates, keepRecent, countErrors)) {
    const name = calls.get(index)?.function?.name;
    if (isError || typeof name !== 'string' || !names.has(name)) continue;
    if (now - timestamp > maxAgeMs) replace(messages, index, placeholder);
  }
}

/** Reads that are not among the newest of any of their files become a placeholder. */
export function simplifyHistoricalFileReads(messages: Message[], options: FileReadOptions = {}): void {
  const { keepRecent = 5, projectRoot = process.cwd(), pathKeys = ['filePath'] } = options;
  const { placeholder = '[该文件的历史读取内容已压缩,请参看最新读取结果]' } = options;
  const { caseInsensitivePaths = process.platform === 'win32' } = options;
  const names = new Set(options.readTools ?? ['filesystem-read']);
  const calls = pairCalls(messages);
  const readsByPath = new Map<string, Candidate[]>();
  messages.forEach((message, index) => {
    if (!isTimedResult(message) || hasErrorStatus(message)) return;
    const called = calls.get(index)?.function;
    if (typeof called?.name !== 'string' || !names.has(called.name)) return;
    const spelled = pathsOf(called.arguments, pathKeys);
    const paths = new Set(spelled.map((path) => normalizePath(path, projectRoot, caseInsensitivePaths)));
    for (const path of paths) {
      const reads = readsByPath.get(path) ?? [];
      readsByPath.set(path, reads);
      reads.push({ index, timestamp: message.timestamp, isError: false });
    }
  });
  const outdated = new Set<number>();
  const current = new Set<number>();
  for (const reads of readsByPath.values()) {
    reads.sort(newestFirst).forEach(({ index }, rank) => {
      (rank < keepRecent ? current : outdated).add(index);
    });
  }
  for (const index of outdated) if (!current.has(index)) replace(messages, index, placeholder);
}

function isId(id: unknown): id is string {
  return typeof id === 'string' && id !== '';
}

function declaredCalls(message: Message): readonly ToolCall[] {
  return message?.role === 'assistant' && Array.isArray(message.tool_calls) ? message.tool_calls : [];
}

/** The call each result answers: ids may be reused, so the nearest one before it, else the first one after. */
function pairCalls(messages: Message[]): Map<number, ToolCall> {
  const first = new Map<string, ToolCall>();
  for (const message of messages) {
    for (const call of declaredCalls(message)) if (isId(call?.id) && !first.has(call.id)) first.set(call.id, call);
  }
  const latest = new Map<string, ToolCall>();
  const calls = new Map<number, ToolCall>();
  messages.forEach((message, index) => {
    for (const call of declaredCalls(message)) if (isId(call?.id)) latest.set(call.id, call);
    if (message?.role !== 'tool' || !isId(message.tool_call_id)) return;
    const call = latest.get(message.tool_call_id) ?? first.get(message.tool_call_id);
    if (call) calls.set(index, call);
  });
  return calls;
}

function isTimedResult(message: Message): message is Message & { timestamp: number } {
  return message?.role === 'tool' && Number.isFinite(message.timestamp);
}

function looksTerminal(content: unknown): boolean {
  return typeof content === 'string' && TERMINAL_MARKERS.some((marker) => content.includes(marker));
}

function hasErrorStatus(message: Message): boolean {
  if (message.messageStatus === 'error') return true;
  return typeof message.content === 'string' && message.content.trimStart().startsWith('Error:');
}

/** Text that can't be a JSON object isn't parsed: a thrown SyntaxError costs more than most results. */
function reportsFailure(content: unknown, exitCodeCounts: boolean): boolean {
  if (typeof content !== 'string' || !/^\s*\{/.test(content)) return false;
  try {
    const { stderr, exitCode } = JSON.parse(content);
    if ((typeof stderr === 'string' || Array.isArray(stderr)) && stderr.length > 0) return true;
    return exitCodeCounts && typeof exitCode === 'number' && exitCode !== 0;
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

function replace(messages: Message[], index: number, placeholder: string): void {
  const message = messages[index];
  if (!message || typeof message.content !== 'string' || message.content === placeholder) return;
  messages[index] = { ...message, content: placeholder };
}

/** `given`: arguments as JSON text, or as some hosts keep them, parsed. */
function pathsOf(given: unknown, pathKeys: readonly string[]): string[] {
  try {
    const parsed = JSON.parse(typeof given === 'object' ? JSON.stringify(given) : String(given));
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return [];
    const named = pathKeys.filter((key) => Object.hasOwn(parsed, key)).flatMap((key) => parsed[key]);
    const paths = named.map((entry) => (typeof entry === 'string' ? entry : entry?.path));
    return paths.filter((path) => typeof path === 'string' && path.trim() !== '');
  } catch {
    return [];
  }
}

const WINDOWS_PATH = /^(?:[A-Za-z]:(?:[\\/]|$)|\\\\[^\\/]+[\\/][^\\/]+)/;

/** Absolute, so that relative and absolute spellings agree. */
function normalizePath(path: string, root: string, ignoreCase: boolean): string {
  const isWindows = WINDOWS_PATH.test(root) || WINDOWS_PATH.test(path);
  const absolute = isWindows
    ? (WINDOWS_PATH.test(root) ? win32.resolve(root, path) : win32.resolve(path)).replace(/^[a-z]:/, (drive) =>
        drive.toUpperCase(),
      )
    : posix.resolve(root, path);
  return ignoreCase ? absolute.toLowerCase() : absolute;
}
