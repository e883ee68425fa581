// @ts-check
'use strict';

const { Conversation } = require('../cleanup/conversation.js');
const { outcomeOf } = require('../cleanup/outcome.js');
const { engineFor } = require('../cleanup/engine.js');
const { copyOf } = require('../lists.js');
const { lazyReport } = require('../cleanup/report.js');
const { weightOf } = require('./weight.js');

/**
 * A request beside the conversation, such as a title or an earlier part of it: it gets what the conversation sends for the
 * messages that both have, which the provider has in its cache, and changes nothing that is decided later.
 * @param {InstanceType<typeof import('./projection.js').Projection>} projection
 * @param {readonly any[]} messages
 * @param {number} now
 */
function sideRequest(projection, messages, now) {
  const { seen, schedule, sent, engine } = projection;
  const taken = copyOf(messages);
  const from = seen.unchangedFrom(taken);
  const [changed = Number.POSITIVE_INFINITY] = seen.changedSince(taken, from);
  const shared = Math.min(changed, seen.length, taken.length);
  const further = taken.slice(shared);
  const tokens = further.reduce((sum, message) => sum + weightOf(message), 0);
  const changes = schedule.state.changesShown(shared, tokens, now);
  const number = schedule.state.sideRequest(shared, tokens, now);
  const prefix = projection.sentWith(shared, changes) ?? sent.slice(0, projection.placeOf(shared));
  const mended = mendedBy(engine, [...prefix, ...further], now);
  const places = new Set([prefix.length - 1, mended.messages.length - 1]);
  return { ...mended, number, places: [...places].filter((at) => at >= 0) };
}

/**
 * Answers interrupted calls, and changes nothing else.
 * @param {InstanceType<typeof import('./projection.js').Projection>['engine']} engine
 * @param {any[]} messages
 * @param {number} now
 */
function mendedBy(engine, messages, now) {
  const { purpose, orphans, unknownAge, options, dialect } = engine.spec;
  const mender = new Conversation(engineFor({ purpose, orphans, unknownAge, rules: [], options, dialect }));
  mender.decide(messages, now);
  return { messages: outcomeOf(messages, mender, now).toArray(), report: lazyReport(mender, messages) };
}

module.exports = { sideRequest };
