// @ts-check
'use strict';

module.exports = require('../../library')['ai-sdk'];
