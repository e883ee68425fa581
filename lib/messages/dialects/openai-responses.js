// @ts-check
'use strict';

/**
 * Input items of OpenAI's Responses API, and those of the Agents SDK, which are the same in camelCase. Each call and each
 * output is an item. A reasoning item belongs to the item of the model's that follows it, and goes and stays with it.
 */

const { isList } = require('../../lists.js');
const { PLAIN, seenIn } = require('../contents.js');
const { copyOf, isSpreadable } = require('../copy.js');
const { cutContent, cutPart } = require('../cut-texts.js');
const { isMarkedFailed } = require('../failure-marks.js');

/** Calls that the host runs and answers, and what their tool is called where they don't say it. @type {Map<unknown, string | undefined>} */
const CALLS = new Map([
  ['function_call', undefined],
  ['custom_tool_call', undefined],
  ['local_shell_call', 'local_shell'],
  ['shell_call', 'shell'],
  ['apply_patch_call', 'apply_patch'],
  ['computer_call', 'computer'],
]);

/** The fields of all items, in both spellings. */
const FIELDS = Object.freeze(
  [
    'type id status phase role content call_id callId name namespace arguments input output summary encrypted_content',
    'action pending_safety_checks acknowledged_safety_checks operation environment max_output_length outcome',
    'queries results code container_id outputs result error tools server_label approval_request_id approve reason',
    'providerData rawContent rawItem actions cache_control providerOptions',
    'async caller caller_id execution fingerprint created_by reasoning maxOutputLength',
    'background output_format quality revised_prompt size svg_usage toolSearchAgentName toolSearchMcpToolNames',
  ].flatMap((names) => names.split(' ')),
);

/** Items that answer a call; true where any text may stand in their `output`. */
const OUTPUTS = new Map([
  ['function_call_output', true],
  ['function_call_result', true],
  ['custom_tool_call_output', true],
  ['local_shell_call_output', true],
  ['shell_call_output', false],
  ['apply_patch_call_output', false],
  ['computer_call_output', false],
  ['computer_call_result', false],
]);

/** @type {Record<string, string>} */
const OUTPUT_OF = { custom_tool_call: 'custom_tool_call_output', local_shell_call: 'local_shell_call_output' };

/** @type {import('../dialect.js').Dialect} */
const responses = {
  fields: FIELDS,

  // Its result goes by the id of the call. Sessions of the Agents SDK leave the item's own out, here and in what it came as.
  repeated: ({ type }) => (CALLS.has(type) ? ['id', 'providerData'] : []),

  // Messages look like chat's, and are read like those.
  roleOf: (item) => (isModels(item) ? 'assistant' : 'other'),

  reads: ({ type, role }) => typeof type === 'string' && role === undefined,

  read(item, parts) {
    const { type, output } = item;
    const id = callIdOf(item);
    if (OUTPUTS.has(type)) {
      parts.by('tool');
      return parts.result({ id, held: output, at: -1, failed: isFailed(item) }, OUTPUTS.get(type) ? TEXT : DATA);
    }
    const isCall = CALLS.has(type);
    // All items but the host's are the model's, whose answer may have several.
    const isHosts = HOSTS_ITEMS.has(type);
    parts.by(isHosts ? 'other' : 'assistant', isCall);
    if (!isHosts) parts.isItem = true;
    if (isCall) {
      const [name, given, settled] = [item.name ?? CALLS.get(type), argumentsOf(item), isDone(item)];
      return parts.call({ id, name, arguments: given, at: -1, settled, said: settled ? [given] : undefined });
    }
    if (type === 'item_reference') parts.hasReferences = true;
    if (type !== 'reasoning') return parts.part(item);
    parts.hasThinking = true;
    parts.only('counted', item.summary);
    parts.only('counted', item.content);
  },

  firstChanged(table, items, index, end) {
    for (; index < end; index++) {
      const item = items[index];
      const { type, timestamp } = item;
      if (item.role !== undefined || !table.isAt(index, item, type, partsIn(item))) return index;
      const row = table.rowAt(index);
      if (CALLS.has(type)) {
        const name = item.name ?? CALLS.get(type);
        if (!row.isStillCall(0, callIdOf(item), name, argumentsOf(item), -1, isDone(item))) return index;
        continue;
      }
      if (!OUTPUTS.has(type)) {
        if (type === 'item_reference') return index;
        continue;
      }
      if (!row.isTimed(item, timestamp)) return index;
      if (!row.isStillResult(callIdOf(item), item.output, isFailed(item), -1)) return index;
    }
    return end;
  },

  replace(item, texts) {
    const output = replacement(item.output, /** @type {string} */ (texts.get(-1)));
    return isSpreadable(item) ? { ...item, output } : copyOf(item, { output });
  },

  tidy(outcome) {
    outcome.each((index, item) => {
      if (item?.type !== 'reasoning') return;
      for (let at = index + 1; ; at++) {
        const next = outcome.original(at);
        if (!isModels(next)) return outcome.removeIfOthersWere(index, at);
        if (next.type !== 'reasoning' && !outcome.isRemoved(at)) return;
      }
    });
  },

  answer(outcome, index, [call], text) {
    const item = outcome.original(index);
    let last = index;
    while (CALLS.has(outcome.original(last + 1)?.type)) last++;
    const inCamelCase = item.callId !== undefined;
    outcome.insert(last, [
      inCamelCase
        ? { type: 'function_call_result', name: item.name, callId: call?.id, status: 'incomplete', output: text }
        : { type: OUTPUT_OF[item.type] ?? 'function_call_output', call_id: call?.id, output: text },
    ]);
  },

  makeText: (text) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
};

/** @type {import('../parts.js').ResultForm} */
const TEXT = { ...PLAIN, look: seenInOutput, said: contentOf, cut: cutOutput, field: 'output' };
/** @type {import('../parts.js').ResultForm} */
const DATA = { ...TEXT, look: () => undefined, textIn: () => undefined };

/** Items that the model hasn't put out. */
const HOSTS_ITEMS = new Set(['mcp_approval_response', 'compaction', 'item_reference']);

/** How many parts the item has, as `Table.parts` counts them. @param {any} item */
function partsIn({ content }) {
  return isList(content) ? content.length : -1;
}

/** @param {any} item */
function callIdOf(item) {
  return item.call_id ?? item.callId ?? (item.type === 'local_shell_call_output' ? item.id : undefined);
}

/** @param {any} item */
function isFailed(item) {
  if (isMarkedFailed(item)) return true;
  const { output } = item;
  const runs = isList(output) ? output : [];
  return runs.some((run) => {
    const { type, exit_code, exitCode } = run?.outcome ?? {};
    return type === 'timeout' || (exit_code ?? exitCode ?? 0) !== 0;
  });
}

/** A shell's output stands in `stdout` and `stderr`. @param {any} output @returns {unknown} */
function contentOf(output) {
  if (output === null || typeof output !== 'object') return output;
  return partsOf(output).flatMap((part) => {
    const isShells = typeof part?.stdout === 'string' || typeof part?.stderr === 'string';
    return isShells ? [part.stdout, part.stderr].filter((text) => text !== undefined && text !== '') : [part];
  });
}

/** @param {any} output @param {import('../cut-texts.js').Shorter} shorter @returns {any} */
function cutOutput(output, shorter) {
  if (typeof output === 'string') return cutContent(output, true, shorter);
  if (output === null || typeof output !== 'object') return output;
  const cut = partsOf(output).map((part) => {
    if (typeof part?.stdout !== 'string') return cutPart(part, true, shorter);
    const [stdout, stderr] = [part.stdout, part.stderr].map((text) => cutContent(text, true, shorter));
    return copyOf(part, { stdout, stderr });
  });
  return isList(output) ? cut : cut[0];
}

/** A shell or patch call has its output elsewhere, where the provider ran it. @param {any} item */
function isDone({ type, environment }) {
  return type === 'shell_call' && environment?.type === 'container';
}

/** @param {any} item */
function argumentsOf(item) {
  return item.arguments ?? item.input ?? item.action ?? item.operation;
}

/** @param {any} output one part, or several, or none */
function partsOf(output) {
  return isList(output) ? output : [output];
}

/** @param {any} output @returns {import('../contents.js').Seen | undefined} */
function seenInOutput(output) {
  if (output === undefined || output === null) return undefined;
  return seenIn(typeof output === 'string' ? output : partsOf(output));
}

/** @param {any} output @param {string} text */
function replacement(output, text) {
  if (typeof output === 'string') return text;
  return isList(output) ? [{ type: 'input_text', text }] : { type: 'text', text };
}

/** An item that the model has put out. @param {any} item */
function isModels(item) {
  if (item === null || typeof item !== 'object') return false;
  const { type, role } = item;
  if (role !== undefined) return role === 'assistant';
  return type === 'reasoning' || (typeof type === 'string' && type.endsWith('_call'));
}

module.exports = responses;
