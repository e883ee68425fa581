// @ts-check
'use strict';

const { middleware } = require('../adapters/ai-sdk/middleware.js');
const { prepareStep } = require('../adapters/ai-sdk/prepare-step.js');

exports.middleware = middleware;
exports.prepareStep = prepareStep;
