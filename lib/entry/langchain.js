// @ts-check
'use strict';

const library = require('../../library');

module.exports = library.langchain;
