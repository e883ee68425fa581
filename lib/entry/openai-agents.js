// @ts-check
'use strict';

const { ArchivingSession } = require('../adapters/openai-agents/archiving-session.js');
const { modelInputFilter } = require('../adapters/openai-agents/model-input-filter.js');

exports.ArchivingSession = ArchivingSession;
exports.modelInputFilter = modelInputFilter;
