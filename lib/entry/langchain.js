// @ts-check
'use strict';

const { contextMiddleware } = require('../adapters/langchain.js');

exports.contextMiddleware = contextMiddleware;
