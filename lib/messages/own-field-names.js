// @ts-check
'use strict';

/** The fields that mark our own messages and copies; a provider never sees them. */
const OWN_FIELDS = Object.freeze(['isCompressed', 'compressedAt', 'compression', 'beforeCompression']);

module.exports = { OWN_FIELDS };
