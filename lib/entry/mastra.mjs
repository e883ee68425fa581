import mastra from './mastra.js';

export const { ContextProcessor } = mastra;
