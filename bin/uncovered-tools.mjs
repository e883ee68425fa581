// @ts-check
/** Finds tools that no rule covers, and suggests options that name them: else nothing of their results is reported. */
import { loadInternals } from './library.mjs';

/** @import { MessageLike, PrepareOptions } from '../index.mjs' */
/** @typedef {typeof import('../index.mjs').prepareMessages} PrepareMessages */
/** @typedef {import('../docs/command-json.js').ListReport['coverage']} Coverage */
/** @typedef {Coverage['uncovered'][number]} UncoveredTool */

const pathKeyPattern = /^(?:(?:abs(?:olute)?|relative|target|workspace)?_?)*(?:file|path|file_?path|file_?name)s?$/i;
const changesPattern = /write|edit|create|insert|replace|update|patch|delete|apply|rename|move/i;
/** In the order in which a name is tested. */
const kindPatterns = /** @type {const} */ ([
  ['search', /grep|search|glob|find/i],
  ['read', /read|view|open|cat$|^ls$|list_?(?:dir|files)/i],
  ['terminal', /exec|shell|bash|terminal|command|cmd|console/i],
]);

/** @param {unknown} json a call's arguments */
function findPathKey(json) {
  if (typeof json !== 'string') return null;
  try {
    return Object.keys(JSON.parse(json) ?? {}).find((key) => pathKeyPattern.test(key)) ?? null;
  } catch {
    return null;
  }
}

/** @param {string} tool @param {string | null} pathKey @returns {UncoveredTool['kind']} */
function guessKind(tool, pathKey) {
  if (changesPattern.test(tool)) return null;
  const kind = kindPatterns.find(([, pattern]) => pattern.test(tool))?.[0] ?? null;
  // The file read rule groups results by path, so it needs one.
  return kind === 'read' && pathKey === null ? null : kind;
}

/**
 * Asks the library which results a rule covers: `indices` of the report. In a copy of the history, every result is old
 * and none may be kept by `keepRecent`, so that each covered result is replaced.
 * @param {readonly MessageLike[]} messages @param {ReadonlyMap<unknown, unknown>} calls
 * @param {PrepareMessages} prepareMessages @param {PrepareOptions} options
 */
function probe(messages, calls, prepareMessages, options) {
  const { callsOf, resultIdOf } = loadInternals().list;
  /** @type {any[]} */ const probes = messages.map((message) => {
    if (message?.role !== 'tool') return { role: message?.role, tool_calls: message && callsOf(message) };
    const tool_call_id = /** @type {any} */ (resultIdOf(message));
    // An error would be kept; a result without a declared call is only recognised by its content.
    const content = calls.has(tool_call_id) ? 'probe' : message.content;
    return { role: 'tool', tool_call_id, content, timestamp: 0 };
  });
  // Results without a later assistant message would be kept.
  probes.push({ role: 'assistant' });
  /** A result is only replaced by a shorter text. @param {unknown} rule `true` for its defaults */
  const replacingAll = (rule) => ({ ...(typeof rule === 'object' ? rule : {}), keepRecent: 0, placeholder: '-' });
  return prepareMessages(probes, {
    now: 1,
    orphans: false,
    terminal: { ...replacingAll(options.terminal), maxAgeMs: 0 },
    fileReads: replacingAll(options.fileReads),
    textSearch: { ...replacingAll(options.textSearch), maxAgeMs: 0 },
  }).report;
}

/**
 * Options replace the library's lists, so they must also name the tools that are already covered.
 * @param {readonly UncoveredTool[]} uncovered @param {ReadonlyMap<string, string | null>} covered path keys by tool
 */
function suggestOptions(uncovered, covered) {
  const coveredTools = Array.from(covered, ([tool, pathKey]) => ({ tool, pathKey, kind: guessKind(tool, pathKey) }));
  /** @type {string[]} */ const words = [];
  for (const kind of ['terminal', 'read', 'search']) {
    const missing = uncovered.filter((tool) => tool.kind === kind);
    if (missing.length === 0) continue;
    const chosen = [...coveredTools.filter((tool) => tool.kind === kind), ...missing];
    words.push(`--${kind}-tools`, chosen.map(({ tool }) => tool).join(','));
    const keys = new Set(chosen.flatMap(({ pathKey }) => pathKey ?? []));
    if (kind === 'read' && !(keys.size === 1 && keys.has('filePath'))) words.push('--path-keys', [...keys].join(','));
  }
  return words;
}

/** @param {any[]} messages @param {PrepareMessages} prepareMessages @param {PrepareOptions} options */
export function findUncoveredTools(messages, prepareMessages, options) {
  const { declaredCallsOf, resultIdOf } = loadInternals().list;
  const calls = declaredCallsOf(messages);
  const probed = probe(messages, calls, prepareMessages, options);
  const coveredIndices = new Set(probed.indices);
  /** @type {Map<string, UncoveredTool>} */ const uncovered = new Map();
  /** @type {Map<string, string | null>} */ const covered = new Map();
  for (const [index, message] of messages.entries()) {
    const call = message?.role === 'tool' ? calls.get(String(resultIdOf(message))) : undefined;
    if (call === undefined) continue;
    const { name } = call;
    const pathKey = findPathKey(call.arguments);
    if (coveredIndices.has(index)) {
      covered.set(name, covered.get(name) ?? pathKey);
      continue;
    }
    const figures = uncovered.get(name) ?? { tool: name, results: 0, units: 0, kind: null, pathKey: null };
    figures.results += 1;
    figures.units += typeof message.content === 'string' ? message.content.length : 0;
    figures.pathKey ??= pathKey;
    figures.kind ??= guessKind(name, pathKey);
    uncovered.set(name, figures);
  }
  // A read without a usable path is uncovered although its tool is covered.
  const tools = [...uncovered.values()].filter(({ tool }) => !covered.has(tool)).sort((a, b) => b.units - a.units);
  const byRule = Object.fromEntries(Object.entries(probed.byRule).map(([name, { changed }]) => [name, changed]));
  return { byRule, uncovered: tools, suggestion: suggestOptions(tools, covered) };
}
