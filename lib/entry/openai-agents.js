// @ts-check
'use strict';

module.exports = require('../../library')['openai-agents'];
