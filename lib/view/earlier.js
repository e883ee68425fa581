// @ts-check
'use strict';

const { editsByRow, savingOf } = require('./applied.js');

/**
 * @typedef {object} Earlier what another process, or an earlier reading, knew of the same messages
 * @property {number} messages how many messages at the start are the same
 * @property {[number, number, string][]} replaced row, rule, text
 * @property {number[]} unfounded rows of them that no rule condemned any more
 * @property {number[]} waiting messages of which something waited
 * @property {boolean} isCutShort whether there were more messages
 * @typedef {InstanceType<typeof import('./projection.js').Projection>} Projection
 */

/**
 * Reads what another process exported.
 * @param {import('../entry/types/view.js').ContextViewState} state
 * @param {number} known so many messages at the start are the same
 * @returns {Earlier}
 */
function exportedEarlier({ schedule, messages, replaced, unfounded }, known) {
  const waiting = schedule.pending.map(([position]) => position);
  return { messages: known, replaced, unfounded, waiting, isCutShort: known < messages.length };
}

/**
 * Reads from a projection that is about to start over what it knew of the messages ahead of the first change.
 * @param {Projection} projection
 * @param {number[]} changed gets the messages of which something was replaced behind it
 * @returns {Earlier}
 */
function readEarlier({ applied, conversation: { layout }, seen }, changed) {
  const messages = changed[0] ?? seen.length;
  for (const row of applied.replaced.keys()) {
    const index = layout.ownerOf(row);
    if (index >= messages) changed.push(index);
  }
  const replaced = /** @type {Earlier['replaced']} */ (
    [...applied.replaced].map(([row, { rule, text }]) => [row, rule, text])
  );
  const waiting = [...applied.pending.keys()].map((row) => layout.ownerOf(row));
  return { messages, replaced, unfounded: [...applied.unfounded], waiting, isCutShort: true };
}

/**
 * Takes over the earlier replacements, so that they stay.
 * @param {Projection} projection
 * @param {Earlier} earlier
 * @param {number[]} changed gets the messages of which something was replaced that is sent as it is now
 * @param {Set<number>} touched gets the messages of which something waited
 */
function takeUp({ conversation, applied, engine }, earlier, changed, touched) {
  const { messages, replaced, unfounded, waiting, isCutShort } = earlier;
  const { layout, transcript } = conversation;
  const edits = editsByRow(conversation);
  applied.forget(0, []);
  for (const [row, rule, text] of replaced) {
    const index = row < transcript.length ? layout.ownerOf(row) : messages;
    if (index >= messages) continue;
    if (transcript.contents[row] === undefined || rule >= engine.ruleNames.length) {
      changed.push(index);
      continue;
    }
    const groups = edits.get(row)?.groups ?? [];
    applied.keep(row, { rule, text, groups, saved: savingOf(conversation, row, text) });
  }
  for (const index of waiting) touched.add(index);
  if (isCutShort) applied.noteUnfounded(conversation);
  else for (const row of unfounded) if (applied.replaced.has(row)) applied.unfounded.add(row);
}

module.exports = { exportedEarlier, readEarlier, takeUp };
