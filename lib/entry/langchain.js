// @ts-check
'use strict';

module.exports = require('../../rooms').langchain;
