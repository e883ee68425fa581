import openaiAgents from './openai-agents.js';

export const { ArchivingSession, modelInputFilter } = openaiAgents;
