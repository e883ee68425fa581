// @ts-check
'use strict';

/** A copy of package.json's version: bundlers without a JSON plugin fail at `require('./package.json')`. */ const version =
  '0.2.0';

module.exports = { version };
