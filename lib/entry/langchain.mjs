import langchain from './langchain.js';

export const { contextMiddleware } = langchain;
