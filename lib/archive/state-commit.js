// @ts-check
'use strict';

const { optional, readArray, readCount, readOptions, readText } = require('../arguments.js');
const { outOfRange } = require('../errors.js');
const { OPTIONS } = require('../option-names.js');
const { storedBatch } = require('./stored-form.js');

/** All of it is read here, since hosts may change it. @param {unknown} commit */
function readCommit(commit) {
  const given = readOptions('commit', commit, OPTIONS.commit);
  const fence = readCount('commit.fence', given.fence);
  const version = readCount('commit.version', given.version);
  const state = optional(readText, 'commit.state', given.state);
  const delta = optional(readText, 'commit.delta', given.delta);
  if ((state === undefined) === (delta === undefined)) {
    throw outOfRange('commit', 'state or delta', state === undefined ? 'neither' : 'both');
  }
  if (state === undefined && version === 0) throw outOfRange('commit', 'a state for version 0', 'a delta');
  const batches = Array.from(optional(readArray, 'commit.batches', given.batches) ?? [], storedBatch);
  return { fence, version, text: state ?? delta ?? '', isWhole: state !== undefined, batches };
}

module.exports = { readCommit };
