// @ts-check
/** Scenarios: the events of ordinary use, one by one and together. */

/**
 * @typedef {import('./play.mjs').Scenario} Scenario
 * @typedef {import('./hosts.mjs').Hosting} Hosting
 */

/** @type {readonly Hosting[]} */
export const BOTH = [{ kind: 'view' }, { kind: 'views' }];
const ANTHROPIC = ['anthropic', 'anthropic-1h'];
const MARKS = { marks: true };

/** New objects that have nothing but the messages. @param {NonNullable<Hosting['restart']>} restart @returns {Hosting[]} */
const restarted = (restart) => [
  { kind: 'view', arrivalTimes: false, restart },
  { kind: 'views', restart },
];

/** @param {number} factor */
const alike = (factor) => ({ tools: factor, rest: factor });

/** @type {readonly Scenario[]} */
const HOSTS = [
  { name: 'one object', hostings: [...BOTH, { kind: 'view', arrivalTimes: false }] },
  { name: 'one object, each message a clone', form: 'reread', sessions: 'medium' },
  { name: 'a new object per turn', hostings: restarted('turn') },
  { name: 'a new object per 10 requests', hostings: restarted(10) },
  { name: 'a new object per request', hostings: restarted('request'), sessions: 'medium' },
  { name: 'per request, messages read again', hostings: restarted('request'), form: 'reread', sessions: 'small' },
  { name: 'per turn, with what was exported', hostings: [{ kind: 'view', restart: 'turn', carries: true }] },
  {
    name: 'per request, with what was exported',
    hostings: [{ kind: 'view', restart: 'request', carries: true }],
    sessions: 'medium',
  },
  { name: 'per turn, with losses', hostings: restarted('turn'), life: { losses: 0.02 } },
];

/** @type {readonly Scenario[]} */
const LOSSES = [
  { name: 'losses of 0.5 %', life: { losses: 0.005 } },
  { name: 'losses of 2 %', life: { losses: 0.02 } },
  { name: 'losses of 5 %', life: { losses: 0.05 } },
  { name: 'losses of 5 %, partial', life: { losses: 0.05, lossKinds: ['partial'] } },
  { name: 'losses of 5 %, to the system prompt', life: { losses: 0.05, lossKinds: ['system'], hasSystem: true } },
  { name: 'evicted early', life: { isEvictedEarly: true } },
];

/** @type {import('./requests.mjs').Life} */
const LOSING = { losses: 0.02, lossKinds: ['all', 'partial', 'system'] };

/** @type {readonly Scenario[]} */
const REPORTS = [
  { name: 'no reports', reports: 'none' },
  { name: 'losses, no reports', reports: 'none', life: LOSING },
  { name: 'losses, reports late by one', reports: 'late', life: LOSING },
  { name: 'losses, half of the reports missing', reports: 'missing', life: LOSING },
  { name: 'losses, reports twice', reports: 'doubled', life: LOSING },
  { name: 'losses, impossible reports', reports: 'impossible', life: LOSING },
  { name: 'losses, reports falsely zero', reports: 'zero', life: LOSING },
  { name: 'nothing ever reported as cached', reports: 'always-zero', isCovered: false },
  { name: 'a provider without a cache', provider: 'no-cache' },
];

/** @type {readonly Scenario[]} */
const PATHS = [
  { name: 'side requests: earlier prefixes', life: { sideEvery: 8, sideForms: ['prefix'] } },
  { name: 'side requests: one message more', life: { sideEvery: 8, sideForms: ['message'] } },
  { name: 'side requests: a title', life: { sideEvery: 8, sideForms: ['title'] } },
  {
    name: 'side requests, named by the host',
    life: { sideEvery: 8 },
    hostings: BOTH.map((host) => ({ ...host, says: true })),
  },
  { name: 'retries at 5 %', life: { retries: 0.05 } },
  { name: 'rewinds at 5 %', life: { rewinds: 0.05 } },
  { name: 'forks at 2 %', life: { forks: 0.02 } },
];

/** @type {readonly Scenario[]} */
const FORMS = [
  { name: 'a picture read again', form: 'picture', sessions: 'medium' },
  { name: 'pictures as results', sessions: 'pictures' },
  { name: 'marks', isMarked: true, options: MARKS, prices: ANTHROPIC },
  { name: 'marks, with losses of 2 %', isMarked: true, options: MARKS, prices: ANTHROPIC, life: { losses: 0.02 } },
  { name: 'marks, with side requests', isMarked: true, options: MARKS, prices: ANTHROPIC, life: { sideEvery: 8 } },
  { name: "the host's own marks", form: 'marks', prices: ANTHROPIC, sessions: 'medium' },
  { name: "the host's marks and ours", form: 'marks', options: MARKS, prices: ANTHROPIC, sessions: 'medium' },
];

/** @type {readonly Scenario[]} */
const COUNTS = [
  { name: "at the cache's minimum", sessions: 'minimum' },
  { name: 'at the minimum, tokens × 0.97', sessions: 'minimum', factors: alike(0.97) },
  { name: 'at the minimum, tokens × 0.8', sessions: 'minimum', factors: alike(0.8) },
  { name: 'tokens × 0.8', factors: alike(0.8) },
  { name: 'tokens × 1.3', factors: alike(1.3) },
  { name: 'tools × 0.8, the rest × 1.3', factors: { tools: 0.8, rest: 1.3 }, isCovered: false },
  { name: 'stamps that lie about pauses', stampsLie: true },
];

/** @type {import('./requests.mjs').Life} */
const ALL = { ...LOSING, sideEvery: 8, retries: 0.03, rewinds: 0.02, forks: 0.01 };

/** @type {readonly Scenario[]} */
export const TOGETHER = [
  { name: 'all of it', life: ALL, reports: 'missing', factors: alike(0.9) },
  { name: 'all of it, per turn', life: ALL, reports: 'missing', factors: alike(1.15), hostings: restarted('turn') },
  { name: 'a host that compacts by itself', compacts: true, isCovered: false, sessions: 'long' },
  {
    name: 'the same, with a budget of 140,000 tokens',
    compacts: true,
    options: { budgetTokens: 140_000 },
    isCovered: false,
    sessions: 'long',
  },
  { name: 'a budget of 60,000 tokens', options: { budgetTokens: 60_000 }, isCovered: false, sessions: 'long' },
];

/** @type {readonly Scenario[]} */
export const SCENARIOS = [...HOSTS, ...LOSSES, ...REPORTS, ...PATHS, ...FORMS, ...COUNTS, ...TOGETHER];
