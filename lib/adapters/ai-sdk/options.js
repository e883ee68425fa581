// @ts-check
'use strict';

const { checkOptions } = require('../../arguments.js');
const { OPTIONS } = require('../../option-names.js');
const { wrongType } = require('../../errors.js');
const { Conversations } = require('../conversations.js');

/**
 * @param {unknown} options
 * @returns {{ conversations: InstanceType<typeof Conversations>, cacheControl: boolean }}
 */
function readOptions(options) {
  const { cacheControl, ...rest } = checkOptions(options, OPTIONS.markedAdapter) ?? {};
  const isAsked = cacheControl ?? false;
  if (typeof isAsked !== 'boolean') throw wrongType('options.cacheControl', 'a boolean', cacheControl);
  return { conversations: new Conversations(isAsked ? { marks: true, ...rest } : rest), cacheControl: isAsked };
}

module.exports = { readOptions };
