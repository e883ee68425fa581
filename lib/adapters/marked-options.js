// @ts-check
'use strict';

const { checkOptions } = require('../arguments.js');
const { OPTIONS } = require('../option-names.js');
const { priceOf, readCacheControl } = require('./cache-marks.js');
const { Conversations } = require('./conversations.js');

/**
 * @param {unknown} options of an adapter that can set Anthropic's cache breakpoints
 * @returns {{ conversations: InstanceType<typeof Conversations>, mark: import('./cache-marks.js').Mark | undefined }}
 */
function readMarkedOptions(options) {
  const { cacheControl, ...rest } = checkOptions(options, OPTIONS.markedAdapter) ?? {};
  const mark = readCacheControl(cacheControl);
  const marking = mark !== undefined && { price: rest.price ?? priceOf(mark), marks: rest.marks ?? true };
  return { conversations: new Conversations({ ...rest, ...marking }), mark };
}

module.exports = { readMarkedOptions };
