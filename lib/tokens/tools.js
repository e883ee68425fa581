// @ts-check
'use strict';

const { isList, sameItems } = require('../lists.js');
const { isObject, safely } = require('../plain-data.js');
const { printedText } = require('../printed-text.js');

/** No provider accepts deeper schemas. */ const MAX_DEPTH = 16;
/** A schema with shared or cyclic parts can be endless as JSON; no request has this many parts. */ const MAX_SCHEMAS = 100_000;

/** The texts that count in a provider's tool definitions: `name:description`, `key:type:description` of properties, enum values. */
class ToolTexts {
  /** @type {string[]} */ texts = [];
  counts = { tools: 0, withProperties: 0, properties: 0, enumerations: 0, values: 0 };
  #schemaCount = 0;

  /** Adds a tool, or a Gemini list of them. @param {any} tool */
  add(tool) {
    if (!isObject(tool)) return;
    const { functionDeclarations } = tool;
    if (!Array.isArray(functionDeclarations)) return this.#addDefinition(tool.function ?? tool);
    // A nested declaration list is not read, because a list that contains itself would be endless.
    for (const definition of isList(functionDeclarations) ? functionDeclarations : []) this.#addDefinition(definition);
  }

  /** @param {any} definition */
  #addDefinition(definition) {
    if (!isObject(definition)) return;
    this.counts.tools += 1;
    this.texts.push(joined(definition.name, definition.description));
    const propertiesBefore = this.counts.properties;
    this.#addSchema(definition.parameters ?? definition.input_schema ?? definition.inputSchema, 0);
    if (this.counts.properties > propertiesBefore) this.counts.withProperties += 1;
  }

  /** @param {any} schema @param {number} depth */
  #addSchema(schema, depth) {
    if (!isObject(schema) || depth > MAX_DEPTH || ++this.#schemaCount > MAX_SCHEMAS) return;
    for (const [key, property] of Object.entries(schema.properties ?? {})) {
      this.counts.properties += 1;
      this.texts.push(joined(key, property?.type, property?.description));
      this.#addValues(property?.enum);
      this.#addSchema(property, depth + 1);
    }
    const alternatives = [schema.anyOf, schema.oneOf, schema.allOf].filter(Array.isArray);
    for (const nested of [schema.items, ...alternatives.flat()]) this.#addSchema(nested, depth + 1);
  }

  /** @param {unknown} values */
  #addValues(values) {
    if (!Array.isArray(values)) return;
    this.counts.enumerations += 1;
    const counted = values.slice(0, MAX_SCHEMAS);
    this.counts.values += counted.length;
    for (const value of counted) this.texts.push(printedText(value));
  }
}

/** Without a description's full stop, as in OpenAI's formula. @param {unknown[]} parts */
function joined(...parts) {
  const texts = parts.filter((part) => typeof part === 'string');
  return texts.join(':').replace(/\.$/, '');
}

/** Counts the tokens of tool definitions, again only if they changed since the last count. */
class ToolCount {
  #model;
  /** What was counted last. */ #counted = new ToolTexts();
  #tokens = 0;

  /** @param {InstanceType<typeof import('../native.js').TokenModel>} model */
  constructor(model) {
    this.#model = model;
  }

  /** Not rounded. The readable part of an invalid definition counts. @param {readonly unknown[]} tools @returns {number} */
  tokensOf(tools) {
    const found = new ToolTexts();
    for (const tool of tools) safely(() => found.add(tool));
    const { texts, counts } = this.#counted;
    if (!sameItems(found.texts, texts) || !sameItems(Object.values(found.counts), Object.values(counts)))
      this.#tokens = this.#model.countTools(found.texts, found.counts);
    this.#counted = found;
    return this.#tokens;
  }
}

module.exports = { ToolCount };
