import aiSdk from './ai-sdk.js';

export const { middleware, prepareStep } = aiSdk;
