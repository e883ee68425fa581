// @ts-check
'use strict';

const { checkOptions } = require('../arguments.js');
const { OPTIONS } = require('../option-names.js');
const { priceOf, readCacheControl } = require('./cache-breakpoints.js');
const { Conversations } = require('./conversations.js');

/**
 * @param {unknown} options of an adapter that can set Anthropic's cache breakpoints
 * @returns {{ conversations: InstanceType<typeof Conversations>, cacheControl: import('./cache-breakpoints.js').CacheControl | undefined }}
 */
function readCachingOptions(options) {
  const { cacheControl: given, ...rest } = checkOptions(options, OPTIONS.markedAdapter) ?? {};
  const cacheControl = readCacheControl(given);
  if (cacheControl === undefined) return { conversations: new Conversations(rest), cacheControl };
  const caching = { price: rest.price ?? priceOf(cacheControl), marks: rest.marks ?? true };
  return { conversations: new Conversations({ ...rest, ...caching }), cacheControl };
}

module.exports = { readCachingOptions };
