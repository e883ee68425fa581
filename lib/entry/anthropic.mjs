import anthropic from './anthropic.js';

export const { middleware, prepareParams } = anthropic;
