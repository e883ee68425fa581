// @ts-check
/** Sessions of simulated coding agents, and what must hold for their plug-ins. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { sharedPrefix } from './tool-loop.mjs';

/**
 * Six prompts, with a pause of 30 minutes before every second one.
 * @template Agent
 * @param {(prompt: number) => Agent | Promise<Agent>} agentFor
 * @param {(agent: Agent, prompt: number) => Promise<any[][]>} runPrompt
 * @returns {Promise<any[][]>} the messages of each request
 */
export async function runSixPrompts(agentFor, runPrompt) {
  const requests = [];
  for (let prompt = 0; prompt < 6; prompt++) {
    if (prompt % 2 === 1) mock.timers.tick(30 * 60_000);
    requests.push(...(await runPrompt(await agentFor(prompt), prompt)));
  }
  return requests;
}

/** The number of messages with a placeholder of repeated commands or of a rule by age; those by kind begin with `[#`. @param {readonly string[]} texts */
export const placeholderCountIn = (texts) =>
  texts.filter((text) => text.includes('[Removed: ') || text.includes('[Outdated ')).length;

/**
 * Asserts that removed results stay removed if every third call of a plug-in fails, and that each process reports that once.
 * @template {{ fault: Error | null, notes: string[] }} Agent
 * @param {() => Agent | Promise<Agent>} startAgent
 * @param {(agent: Agent, prompt: number, beforeRequest: (request: number) => void) => Promise<any[][]>} runPrompt
 * @param {(messages: any[]) => string[]} bytesOf
 */
export async function assertFaultsRestoreNothing(startAgent, runPrompt, bytesOf) {
  /** @type {Agent[]} */
  const agents = [];
  const requests = await runSixPrompts(startAgent, (agent, prompt) => {
    agents.push(agent);
    return runPrompt(agent, prompt, (request) => {
      agent.fault = request % 3 === 0 && request > 0 ? new Error('every third') : null;
    });
  });
  const texts = requests.map(bytesOf);
  for (let request = 3; request < texts.length; request += 3) {
    const [previous = [], sent = []] = texts.slice(request - 1);
    assert.equal(sharedPrefix(previous, sent), previous.length, `request ${request}`);
  }
  assert.ok(texts.length > 60 && placeholderCountIn(texts.at(-1) ?? []) > 10);
  for (const { notes } of agents) assert.equal(notes.length, 1);
  assert.match(agents[0]?.notes[0] ?? '', /goes on without it: every third/);
}
