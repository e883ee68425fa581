// @ts-check
'use strict';

const { changedCopy, copyOf } = require('../copy.js');

/** Reads and replaces the result in a tool part of opencode's messages. */

/** @typedef {any} State the part's `state` */

/** True for an interrupted command whose output so far is sent. @param {State} state */
function isOutputOfInterrupted({ metadata }) {
  return metadata?.interrupted === true && typeof metadata.output === 'string';
}

/** The result's text. @param {State} state */
function textOf(state) {
  if (state.status === 'completed') return state.output;
  return isOutputOfInterrupted(state) ? state.metadata.output : state.error;
}

/** A copy with another result text. @param {any} part @param {string} text @param {boolean} removesAttachments */
function replaced(part, text, removesAttachments) {
  const { state } = part;
  const removed = removesAttachments ? ['attachments'] : [];
  if (state.status === 'completed') return copyOf(part, { state: changedCopy(state, removed, { output: text }) });
  const changes = isOutputOfInterrupted(state)
    ? { metadata: copyOf(state.metadata, { output: text }) }
    : { error: text };
  return copyOf(part, { state: copyOf(state, changes) });
}

module.exports = { replaced, textOf };
