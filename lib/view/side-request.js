// @ts-check
'use strict';

const { Conversation } = require('../cleanup/conversation.js');
const { outcomeOf } = require('../cleanup/outcome.js');
const { engineFor } = require('../cleanup/engine.js');
const { copyOfList } = require('../lists.js');
const { lazyReport } = require('../cleanup/report.js');
const { hostMarks, MOST_MARKS } = require('./marks.js');
const { placeIn } = require('./sent.js');
const { weightsOf } = require('./weight.js');

/** @typedef {InstanceType<typeof import('./projection.js').Projection>} Projection */

/**
 * A request beside the conversation, such as a title or an earlier part of it: it gets what the conversation sends for the
 * messages that both have, which the provider has in its cache, and changes nothing that is decided later.
 * @param {Projection} projection
 * @param {readonly any[]} messages
 * @param {number} now
 */
function sideRequest(projection, messages, now) {
  const { seen, schedule } = projection;
  const taken = copyOfList(messages);
  const [changed = Number.POSITIVE_INFINITY] = seen.compared(taken).changed;
  const shared = Math.min(changed, seen.length, taken.length);
  const tokens = weightsOf(taken.slice(shared), projection.weighed.isCoarse).reduce((sum, weight) => sum + weight, 0);
  const changes = schedule.state.changesShown(shared, tokens, now);
  const number = schedule.state.sideRequest(shared, tokens, now);
  const { outcome, report } = mendedWith(projection, { taken, shared, changes, now });
  const mended = outcome.toArray();
  const places = placesOf([mended.length - 1, placeIn(outcome, shared) - 1], taken, schedule.outside);
  return { messages: mended, report, number, places };
}

/**
 * Where to mark, of these places in the order of what it costs to lack them: as many as the host's own marks leave.
 * @param {number[]} wanted
 * @param {readonly any[]} messages
 * @param {number} outside marks of the host's ahead of all messages
 */
function placesOf(wanted, messages, outside) {
  const own = hostMarks(messages).map((count) => count - 1);
  const free = Math.max(0, MOST_MARKS - own.length - outside);
  const places = [...new Set(wanted)].filter((at) => at >= 0 && !own.includes(at)).slice(0, free);
  return places.sort((a, b) => a - b);
}

/**
 * Answers interrupted calls as these messages alone tell which were, so that no process need know what came behind them, and replaces what
 * is replaced in the first `shared` of them with so many changes.
 * @param {Projection} projection
 * @param {{ taken: any[], shared: number, changes: number, now: number }} request
 */
function mendedWith({ engine, applied }, { taken, shared, changes, now }) {
  const { purpose, orphans, unknownAge, options, dialect } = engine.spec;
  const mender = new Conversation(engineFor({ purpose, orphans, unknownAge, rules: [], options, dialect }));
  mender.decide(taken, now);
  const { layout, transcript } = mender;
  const end = layout.rowOf(shared);
  /** @type {Set<number>} */ const leftAlone = new Set();
  const isShown = (/** @type {number} */ row, /** @type {{ change: number }} */ { change }) =>
    row < end && change <= changes && !leftAlone.has(row);
  const shown = {
    engine: mender.engine,
    layout,
    transcript,
    changes: null,
    decision: applied.asDecision(mender, isShown),
    textOf: (/** @type {number} */ edit) => /** @type {string} */ (shown.decision.texts[edit]),
    leaveAlone: (/** @type {number} */ row) => {
      leftAlone.add(row);
      shown.decision = applied.asDecision(mender, isShown);
    },
  };
  return { outcome: outcomeOf(taken, /** @type {any} */ (shown), now), report: lazyReport(mender, taken) };
}

module.exports = { sideRequest };
