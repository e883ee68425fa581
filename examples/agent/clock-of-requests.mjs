// @ts-check
/** Import this before a program: the program's clock then advances with each request. */
import { timeAfter } from './clock.mjs';

let requests = 0;
const { fetch } = globalThis;

Date.now = () => timeAfter(requests);
globalThis.fetch = async (...request) => {
  const response = await fetch(...request);
  requests++;
  return response;
};
