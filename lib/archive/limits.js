// @ts-check
'use strict';

const native = require('../native.js');
const { once } = require('../once.js');

const archiveLimits = once(() => native.archiveLimits());

module.exports = { archiveLimits };
