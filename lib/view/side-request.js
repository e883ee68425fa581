// @ts-check
'use strict';

const { Conversation } = require('../cleanup/conversation.js');
const { outcomeOf } = require('../cleanup/outcome.js');
const { engineFor } = require('../cleanup/engine.js');
const { copyOfList } = require('../lists.js');
const { lazyReport } = require('../cleanup/report.js');
const { hostMarks, MOST_MARKS } = require('./marks.js');
const { weightsOf } = require('./weight.js');

/**
 * A request beside the conversation, such as a title or an earlier part of it: it gets what the conversation sends for the
 * messages that both have, which the provider has in its cache, and changes nothing that is decided later.
 * @param {InstanceType<typeof import('./projection.js').Projection>} projection
 * @param {readonly any[]} messages
 * @param {number} now
 */
function sideRequest(projection, messages, now) {
  const { seen, schedule, sent, engine, conversation } = projection;
  const taken = copyOfList(messages);
  const [changed = Number.POSITIVE_INFINITY] = seen.compared(taken).changed;
  const shared = Math.min(changed, seen.length, taken.length);
  const further = taken.slice(shared);
  const tokens = weightsOf(further, projection.weighed.isCoarse).reduce((sum, weight) => sum + weight, 0);
  const changes = schedule.state.changesShown(shared, tokens, now);
  const number = schedule.state.sideRequest(shared, tokens, now);
  const prefix = sent.upTo(shared, changes, conversation);
  const mended = mendedBy(engine, [...prefix, ...further], now);
  return {
    ...mended,
    number,
    places: placesOf([mended.messages.length - 1, prefix.length - 1], taken, schedule.outside),
  };
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
