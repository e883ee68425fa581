// @ts-check
'use strict';

const native = require('../native.js');
const { once } = require('../once.js');

/** The archive's own defaults and bounds of options. */
const archiveLimits = once(() => native.archiveLimits());

module.exports = { archiveLimits };
