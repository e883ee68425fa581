// @ts-check
'use strict';

const { changedCopy, copyOf } = require('../copy.js');

/** @typedef {any} State state of a tool part in opencode's messages */

/** True for an interrupted command whose output so far is sent. @param {State} state */
function isOutputOfInterrupted({ metadata }) {
  return metadata?.interrupted === true && typeof metadata.output === 'string';
}

/** @param {State} state */
function textOf(state) {
  if (state.status === 'completed') return state.output;
  return isOutputOfInterrupted(state) ? state.metadata.output : state.error;
}

/** @param {any} part @param {string} text @param {boolean} isWhole attachments are removed as well */
function replaced(part, text, isWhole) {
  const { state } = part;
  const removed = isWhole ? ['attachments'] : [];
  if (state.status === 'completed') return copyOf(part, { state: changedCopy(state, removed, { output: text }) });
  const changes = isOutputOfInterrupted(state)
    ? { metadata: copyOf(state.metadata, { output: text }) }
    : { error: text };
  return copyOf(part, { state: copyOf(state, changes) });
}

module.exports = { replaced, textOf };
