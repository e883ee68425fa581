// @ts-check
/** Imported before a program, it has the time pass by the requests that the program makes. */
import { timeAfter } from './clock.mjs';

let requests = 0;
const { fetch } = globalThis;

Date.now = () => timeAfter(requests);
globalThis.fetch = async (...request) => {
  const response = await fetch(...request);
  requests++;
  return response;
};
