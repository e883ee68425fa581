// @ts-check
'use strict';

const { Row } = require('../messages/row.js');
const { HAS_MEDIA } = require('./row-flags.js');

/**
 * A result whose content can't be read, or isn't text, is left alone, but it still answers its call.
 * @param {any} message
 * @returns {string | undefined}
 */
function contentOf(message) {
  try {
    const { content } = message;
    return typeof content === 'string' ? content : undefined;
  } catch {
    return undefined;
  }
}

/** @param {any} message that has a text */
function mediaIn(message) {
  return message instanceof Row && message.hasMedia ? HAS_MEDIA : 0;
}

module.exports = { contentOf, mediaIn };
