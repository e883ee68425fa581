// @ts-check
'use strict';

const native = require('../native.js');
const { once } = require('../once.js');

/** The defaults and limits of archives, which the core sets. */
const archiveLimits = once(() => native.archiveLimits());

module.exports = { archiveLimits };
