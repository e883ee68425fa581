// @ts-check
'use strict';

const native = require('../native.js');

/** @type {import('../../binding.js').ArchiveLimits | undefined} */
let limits;

/** The archive's own defaults and bounds of options. */
function archiveLimits() {
  limits ??= native.archiveLimits();
  return limits;
}

module.exports = { archiveLimits };
