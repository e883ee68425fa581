// @ts-check
'use strict';

const { Decision } = require('./conversation.js');
const { outcomeOf, UncopiedMessage } = require('./outcome.js');
const { References } = require('./references.js');
const { lazyReport, REPEATED } = require('./report.js');
const { addEdit } = require('./wire.js');

/** @typedef {InstanceType<typeof import('./conversation.js').Conversation>} Conversation */

/** Number of an invented request before the real one. Results that rules replace are outdated since then, so nothing refers to them. */
const EARLIER_REQUEST = 0;

/**
 * Shortens results with references to other messages, for one call without earlier requests.
 * @param {readonly any[]} messages the messages that `conversation` decided about
 * @param {Conversation} conversation
 * @param {number} now time of the request (ms)
 * @returns {{ messages: unknown[], report: import('../../index.js').CleanupReport } | undefined} undefined if no result refers to another
 */
function withReferences(messages, conversation, now) {
  const { decision, engine } = conversation;
  /** @type {Set<number>} */ const replaced = new Set();
  for (let edit = 0; edit < decision.editCount; edit++) replaced.add(decision.rowOf(edit));
  const request = { time: now, lastTime: now, interruptedTime: now, isUndecided: false };
  const requests = [
    { ...request, end: 0 },
    { ...request, end: messages.length },
  ];
  const shortened = new References(engine).readRequests({
    conversation,
    requests,
    first: EARLIER_REQUEST + 1,
    outdated: Array.from(replaced, (row) => ({ row, request: EARLIER_REQUEST })),
    staysWhole: (row) => replaced.has(row),
  });
  if (shortened.length === 0) return undefined;
  try {
    const extended = withShortened(conversation, shortened);
    return { messages: outcomeOf(messages, extended).toArray(), report: lazyReport(extended, messages) };
  } catch (error) {
    if (error instanceof UncopiedMessage) return undefined;
    throw error;
  }
}

/** The conversation with references in its decision. @param {Conversation} conversation @param {readonly import('./references.js').Shortened[]} shortened */
function withShortened(conversation, shortened) {
  const { engine, layout, transcript, state } = conversation;
  const { edits, groups, texts, editCount, ...others } = conversation.decision;
  const decision = Object.assign(new Decision(), others, {
    edits: edits.slice(),
    groups: groups.slice(),
    texts: texts.slice(0, editCount),
    editCount: editCount + shortened.length,
    report: null,
  });
  for (const { row, text } of shortened) {
    addEdit(decision.edits, { row, rule: REPEATED, groups: 0, request: 0 });
    decision.texts.push(text);
  }
  return { engine, layout, transcript, state, decision, changes: null };
}

module.exports = { withReferences };
