// @ts-check
'use strict';

const { contextMiddleware } = require('../adapters/langchain/middleware.js');

exports.contextMiddleware = contextMiddleware;
