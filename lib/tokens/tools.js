// @ts-check
'use strict';

const { isList } = require('../lists.js');
const { printedText } = require('../printed-text.js');

/** Deeper schemas than this are none that a provider takes. */
const MAX_DEPTH = 16;
/** A schema that leads back to itself, or to the same part by many ways, is endless as JSON; no request has so much. */
const MOST_SCHEMAS = 100_000;

/**
 * Gathers the texts that count in tool definitions of OpenAI (chat, responses), Anthropic and Gemini: `name:description` of each tool, `key:type:description` of each property, each allowed value.
 */
class ToolTexts {
  constructor() {
    /** @type {string[]} */ this.texts = [];
    this.tools = 0;
    this.withProperties = 0;
    this.properties = 0;
    this.enumerations = 0;
    this.values = 0;
    this.schemas = 0;
  }

  get counts() {
    const { tools, withProperties, properties, enumerations, values } = this;
    return { tools, withProperties, properties, enumerations, values };
  }

  /** @param {any} tool */
  add(tool) {
    if (tool === null || typeof tool !== 'object') return;
    const { functionDeclarations } = tool;
    if (!Array.isArray(functionDeclarations)) this.#addOne(tool.function ?? tool);
    // A declaration within a declaration is not read as a list: a list that holds itself would have no end.
    else if (isList(functionDeclarations)) for (const declared of functionDeclarations) this.#addOne(declared);
  }

  /** @param {any} declared */
  #addOne(declared) {
    if (declared === null || typeof declared !== 'object') return;
    this.tools += 1;
    this.texts.push(joined(declared.name, declared.description));
    const before = this.properties;
    this.#addSchema(declared.parameters ?? declared.input_schema ?? declared.inputSchema, 0);
    if (this.properties > before) this.withProperties += 1;
  }

  /** @param {any} schema @param {number} depth */
  #addSchema(schema, depth) {
    if (schema === null || typeof schema !== 'object' || depth > MAX_DEPTH) return;
    this.schemas += 1;
    if (this.schemas > MOST_SCHEMAS) return;
    for (const [key, property] of Object.entries(schema.properties ?? {})) {
      this.properties += 1;
      this.texts.push(joined(key, property?.type, property?.description));
      this.#addValues(property?.enum);
      this.#addSchema(property, depth + 1);
    }
    for (const nested of [schema.items, ...list(schema.anyOf), ...list(schema.oneOf), ...list(schema.allOf)]) {
      this.#addSchema(nested, depth + 1);
    }
  }

  /** @param {unknown} values */
  #addValues(values) {
    if (!Array.isArray(values)) return;
    this.enumerations += 1;
    const counted = values.slice(0, MOST_SCHEMAS);
    this.values += counted.length;
    for (const value of counted) this.texts.push(printedText(value));
  }
}

/** @param {unknown} value @returns {unknown[]} */
function list(value) {
  return Array.isArray(value) ? value : [];
}

/** @param {unknown[]} parts */
function joined(...parts) {
  const texts = parts.filter((part) => typeof part === 'string');
  // The cookbook's formula leaves a description's full stop out.
  return texts.join(':').replace(/\.$/, '');
}

/**
 * Tokens of tool definitions, not rounded. Odd definitions count as far as they can be read.
 * @param {InstanceType<typeof import('../native.js').TokenModel>} model
 * @param {readonly unknown[]} tools
 * @returns {number}
 */
function countTools(model, tools) {
  const found = textsOf(tools);
  return model.countTools(found.texts, found.counts);
}

/** @param {readonly unknown[]} tools */
function textsOf(tools) {
  const found = new ToolTexts();
  for (const tool of tools) {
    try {
      found.add(tool);
    } catch {
      // A getter or proxy throws.
    }
  }
  return found;
}

/** Counts the tools of one conversation after another: what says the same as last time is not counted again. */
class ToolCount {
  #model;
  /** @type {readonly string[]} */
  #texts = [];
  #counts = new ToolTexts().counts;
  #tokens = 0;

  /** @param {InstanceType<typeof import('../native.js').TokenModel>} model */
  constructor(model) {
    this.#model = model;
  }

  /** @param {readonly unknown[]} tools @returns {number} */
  of(tools) {
    const { texts, counts } = textsOf(tools);
    if (!same(texts, this.#texts) || !same(Object.values(counts), Object.values(this.#counts))) {
      this.#tokens = this.#model.countTools(texts, counts);
      this.#texts = texts;
      this.#counts = counts;
    }
    return this.#tokens;
  }
}

/** @param {ArrayLike<unknown>} a @param {ArrayLike<unknown>} b */
function same(a, b) {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}

module.exports = { ToolCount, countTools };
