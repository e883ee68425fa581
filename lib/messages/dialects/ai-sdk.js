// @ts-check
'use strict';

/**
 * The AI SDK's `ModelMessage`: calls are parts of an assistant message, results are parts of the tool messages after it. A call that waits for
 * approval, or that the provider runs, needs no result. UI messages have another form; the SDK's `convertToModelMessages` converts them.
 */

const { copyOfList, isList } = require('../../lists.js');
const { valueAsText, textOfContent, isFailedType } = require('../tool-result.js');
const { copyOf, isSpreadable } = require('../copy.js');
const { cutContent, cutValue } = require('../parts.js');
const { partList } = require('../part-list.js');

const ROLES = new Set(['system', 'user', 'assistant', 'tool']);
const APPROVAL_REQUEST = 'tool-approval-request';
const APPROVAL_RESPONSE = 'tool-approval-response';

/** @type {import('../parts.js').ResultForm} */ const RESULT = {
  read(part) {
    const { output } = part;
    const isText = output === undefined || (typeof output === 'object' && output?.type !== 'execution-denied');
    return isText ? textOfContent(contentOf(part)) : undefined;
  },
  textIn: ({ output }) => (output?.type === 'text' || output?.type === 'error-text' ? output.value : undefined),
  content: contentOf,
  cut: cutResult,
};

/** @type {import('../choice.js').Dialect} */ const aiSdk = {
  fields: ['role', 'content', 'providerOptions', 'experimental_providerMetadata'],
  needsResultsInTurn: true,

  ...partList({
    field: 'content',
    assistantRole: 'assistant',
    isStillCall(row, nth, part, at) {
      const type = part?.type;
      if (type === APPROVAL_REQUEST) return false;
      if (type !== 'tool-call') return undefined;
      const settled = part.providerExecuted === true;
      return row.isStillCall(nth, part.toolCallId, part.toolName, part.input ?? part.args, at, settled);
    },
    isStillResult(row, _, part, at) {
      if (part?.type !== 'tool-result') return undefined;
      return row?.isStillResult(part.toolCallId, part, isFailed(part), at) === true;
    },
    replaced(part, text) {
      if (part.output === undefined) return copyOf(part, { result: text });
      const { providerOptions } = part.output;
      const output = providerOptions ? { type: 'text', value: text, providerOptions } : { type: 'text', value: text };
      return isSpreadable(part) ? { ...part, output } : copyOf(part, { output });
    },
  }),

  read({ role, content }, parts) {
    parts.setRole(ROLES.has(role) ? role : 'other');
    if (role !== 'tool' && role !== 'assistant') parts.otherSpeaks();
    /** @type {any[]} */ const requests = content.filter((/** @type {any} */ part) => part?.type === APPROVAL_REQUEST);
    const awaitingApproval = new Set(requests.map((part) => part.toolCallId));
    parts.each('content', content, (part, at) => {
      const { type, toolCallId: id } = part ?? {};
      if (type === 'tool-call') {
        const { toolName: name, input, args } = part;
        const isProviders = part.providerExecuted === true;
        const quoted = isProviders ? [name, input ?? args] : undefined;
        const settled = isProviders || awaitingApproval.has(id);
        parts.call({ id, name, arguments: input ?? args, settled, at, quoted });
      } else if (type === 'tool-result') {
        const failed = isFailed(part);
        if (role !== 'tool') parts.unchangeableCount++;
        parts.result({ id, source: part, failed, at, isProviders: role !== 'tool' }, RESULT);
        if (part.output?.type === 'execution-denied' && typeof part.output.reason !== 'string')
          parts.add('marker', 'denied');
      } else if (type === APPROVAL_REQUEST) parts.add('counted', part);
      else if (type === APPROVAL_RESPONSE) {
        parts.needsPrevious = true;
        parts.add('counted', part);
        parts.add('marker', part.approved === true ? 'approved' : 'denied');
        parts.add('quoted', part.reason);
      } else parts.part(part, at);
    });
  },

  // Removes the responses to approval requests that were removed.
  repair(outcome) {
    const removed = Array.from(outcome.removed, (index) => outcome.messages[index]);
    const parts = removed.flatMap((message) => (message?.role === 'assistant' ? message.content : []));
    const requests = parts.filter((part) => part?.type === APPROVAL_REQUEST);
    if (requests.length === 0) return;
    const approvalIds = new Set(requests.map((part) => part.approvalId));
    const isOrphan = (/** @type {any} */ part) => part?.type === APPROVAL_RESPONSE && approvalIds.has(part.approvalId);
    outcome.each((index, message) => {
      if (message?.role !== 'tool' || !isList(message.content) || !message.content.some(isOrphan)) return;
      const content = copyOfList(message.content).filter((part) => !isOrphan(part));
      if (content.length === 0) outcome.removed.add(index);
      else outcome.set(index, copyOf(message, { content }));
    });
  },

  addResults(outcome, index, calls, text) {
    const results = calls.map(({ id, name }) => {
      return { type: 'tool-result', toolCallId: id, toolName: name, output: { type: 'error-text', value: text } };
    });
    const next = outcome.at(index + 1);
    const content = next?.role === 'tool' ? next.content : undefined;
    if (!isList(content)) return outcome.insert(index, [{ role: 'tool', content: results }]);
    outcome.set(index + 1, copyOf(next, { content: [...content, ...results] }));
  },
};

/** AI SDK 4 has the value itself in `result`. @param {any} part @returns {unknown} */
function contentOf({ output, result }) {
  if (output === undefined) return valueAsText(result)?.text;
  const { type, value, reason } = output ?? {};
  if (type === 'json' || type === 'error-json') return valueAsText(value)?.text ?? output;
  if (type === 'text' || type === 'error-text' || type === 'content') return value ?? output;
  return type === 'execution-denied' ? reason : output;
}

/** @param {any} part @param {import('../parts.js').Shorten} shorten */
function cutResult(part, shorten) {
  const { output } = part;
  if (output === undefined) return copyOf(part, { result: cutValue(part.result, shorten) ?? part.result });
  if (output?.type === 'content') {
    return copyOf(part, { output: copyOf(output, { value: cutContent(output.value, true, shorten) }) });
  }
  const value = 'value' in output ? cutValue(output.value, shorten) : undefined;
  if (value === undefined) return part;
  // A cut JSON value becomes text.
  const type = output.type === 'error-json' || output.type === 'error-text' ? 'error-text' : 'text';
  return copyOf(part, { output: copyOf(output, { type, value }) });
}

const isFailed = (/** @type {any} */ { output, isError }) => isFailedType(output?.type) || isError === true;

module.exports = aiSdk;
