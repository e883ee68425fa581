// @ts-check
'use strict';

const { ContextProcessor } = require('../adapters/mastra.js');

exports.ContextProcessor = ContextProcessor;
