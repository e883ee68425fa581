// @ts-check
'use strict';

const { middleware } = require('../adapters/anthropic/middleware.js');
const { prepareParams } = require('../adapters/anthropic/prepare-params.js');

exports.middleware = middleware;
exports.prepareParams = prepareParams;
