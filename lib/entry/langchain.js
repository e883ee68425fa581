// @ts-check
'use strict';

<<<<<<< HEAD
module.exports = require('../../rooms').langchain;
=======
const { contextMiddleware } = require('../adapters/langchain/middleware.js');

exports.contextMiddleware = contextMiddleware;
>>>>>>> adapters
