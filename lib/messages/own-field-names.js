// @ts-check
'use strict';

/** Fields that this package adds to messages and copies; a provider never sees them. */
const OWN_FIELDS = Object.freeze(['isCompressed', 'compressedAt', 'compression', 'beforeCompression']);

module.exports = { OWN_FIELDS };
