// @ts-check
'use strict';

const native = require('../native.js');
const { once } = require('../once.js');
const { optional } = require('../arguments.js');
const { readArray, readFunction, readLanguage, readOptions, readSignal, readText } = require('../arguments.js');
const { OPTIONS } = require('../option-names.js');
const { outOfRange, wrongType } = require('../errors.js');

/** Reads the options of `runWithProgress`. */

/** The maximum of `setTimeout`; a longer delay would fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * @typedef {object} Stage
 * @property {string} stage its name
 * @property {string} message
 * @property {number} progress percent at its start
 * @property {number} until percent that it leads to
 * @property {(seconds: number) => string} tickMessage
 *
 * @typedef {object} ProgressOptions
 * @property {string} tool
 * @property {(event: { tool: string, stage: string, message: string, progress: number }) => void} emit
 * @property {[Stage, ...Stage[]]} stages without the last, `complete`
 * @property {string} completeMessage
 * @property {number} estimateMs
 * @property {number} timeoutMs may be Infinity
 * @property {string | undefined} timeoutMessage
 * @property {'zh' | 'en' | undefined} language
 * @property {AbortSignal | undefined} signal
 */

/** The core's defaults: percents and milliseconds. */
const numbers = once(() => native.progressNumbers());

/** @param {unknown} value @param {unknown} fn @returns {ProgressOptions} */
function readProgressOptions(value, fn) {
  const options = readOptions('options', value, OPTIONS.progress);
  readFunction('fn', fn);
  const tool = readText('options.tool', options.tool);
  const language = optional(readLanguage, 'options.language', options.language);
  const [working, complete] = native.stageTexts(language);
  const { stages, completeMessage } = readStages(options.stages, working, complete);
  return {
    tool,
    emit: optional(readFunction, 'options.emit', options.emit) ?? (() => {}),
    stages,
    completeMessage,
    estimateMs: readDuration(options, 'estimateMs') ?? numbers().estimateMs,
    timeoutMs: readDuration(options, 'timeoutMs') ?? numbers().directApiTimeoutMs,
    timeoutMessage: optional(readText, 'options.timeoutMessage', options.timeoutMessage),
    language,
    signal: optional(readSignal, 'options.signal', options.signal),
  };
}

/** @param {unknown} value @param {string} working @param {string} complete @returns {Pick<ProgressOptions, 'stages' | 'completeMessage'>} */
function readStages(value, working, complete) {
  const { workingFrom, workingTo } = numbers();
  const list = optional(readArray, 'options.stages', value) ?? [];
  const last = list.find((stage) => stage?.stage === 'complete');
  const others = list.filter((stage) => stage !== last);
  if (others.length === 0) others.push({ stage: 'working', message: working, progress: workingFrom });
  const stages = others.map((stage, index) => readStage(stage, `options.stages[${index}]`, workingFrom));
  for (const [index, stage] of stages.entries()) {
    stage.until = Math.max(stage.progress, stages[index + 1]?.progress ?? workingTo);
  }
  const atLeastOne = /** @type {[Stage, ...Stage[]]} */ (stages);
  return { stages: atLeastOne, completeMessage: typeof last?.message === 'string' ? last.message : complete };
}

/** @param {unknown} value @param {string} name @param {number} workingFrom @returns {Stage} */
function readStage(value, name, workingFrom) {
  const stage = readOptions(name, value, OPTIONS.stage);
  const message = optional(readText, `${name}.message`, stage.message) ?? '';
  const progress = stage.progress ?? workingFrom;
  if (typeof progress !== 'number') throw wrongType(`${name}.progress`, 'a number', progress);
  if (!(progress >= 0 && progress <= 100))
    throw outOfRange(`${name}.progress`, 'a number from 0 to 100', String(progress));
  const tickMessage =
    optional(readFunction, `${name}.tickMessage`, stage.tickMessage) ??
    ((/** @type {number} */ seconds) => `${message} ${seconds}s`.trimStart());
  return { stage: readText(`${name}.stage`, stage.stage), message, progress, until: progress, tickMessage };
}

/** @param {Record<string, any>} options @param {string} key @returns {number | undefined} ms */
function readDuration(options, key) {
  const value = options[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number') throw wrongType(`options.${key}`, 'a number of milliseconds', value);
  if (Number.isNaN(value) || value <= 0)
    throw outOfRange(`options.${key}`, 'a positive number of milliseconds', String(value));
  return value > MAX_TIMER_MS ? Infinity : value;
}

module.exports = { numbers, readProgressOptions };
