// @ts-check
'use strict';

const native = require('../native.js');

/** @type {import('../../binding.js').ArchiveLimits | undefined} */
let limits;

/** What holds when options say nothing, and what they may be: the archive's own figures. */
function archiveLimits() {
  limits ??= native.archiveLimits();
  return limits;
}

module.exports = { archiveLimits };
