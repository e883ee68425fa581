// @ts-check
'use strict';

const { readStore } = require('../../archive/store.js');
const { readId } = require('../../archive/stored-form.js');
const { checkOptions, optional, readArray, readInteger, readOptions } = require('../../arguments.js');
const { OPTIONS } = require('../../option-names.js');
const { stripForApi } = require('../../compression/api-messages.js');
const { expandHistory } = require('../../compression/expand.js');
const { AutoCompressionManager } = require('../../compression/manager.js');
const { isFromCompression, recordIdsIn } = require('../../compression/record.js');

/** A session of the Agents SDK that is compressed after each turn. Originals are archived before they are removed from its items. */
class ArchivingSession {
  #sessionId;
  #archive;
  #manager;
  /** The current items, with the records (see `docs/glossary.md`) of summaries. @type {any[]} */ #items;
  /** The last operation; operations run one after another. @type {Promise<unknown>} */ #last = Promise.resolve();

  /** @param {unknown} options */
  constructor(options) {
    const checked = checkOptions(options, OPTIONS.archivingSession) ?? {};
    const compression = readOptions('options.compression', checked.compression, OPTIONS.compression);
    const { config, llmClient, logger, ...managerOptions } = compression;
    const archive = readStore('options.archive', checked.archive, ['append', 'get', 'delete']);
    this.#archive = archive;
    this.#sessionId = readId('options.sessionId', checked.sessionId);
    this.#items = structuredClone(optional(readArray, 'options.initialItems', checked.initialItems) ?? []);
    const own = { dialect: 'openai-responses', archive, sessionId: this.#sessionId };
    this.#manager = new AutoCompressionManager(config, llmClient, logger, { ...managerOptions, ...own });
  }

  async getSessionId() {
    return this.#sessionId;
  }

  /** @param {number} [limit] */
  async getItems(limit) {
    const newest = optional(readInteger, 'limit', limit, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
    return this.#inOrder(() => {
      const { length } = this.#items;
      // As in the SDK's own sessions, a limit below 1 returns nothing.
      const start = Math.max(0, length - Math.max(0, newest ?? length));
      return structuredClone(stripForApi(this.#items.slice(start)));
    });
  }

  /** @param {any[]} items */
  async addItems(items) {
    const added = structuredClone(readArray('items', items));
    return this.#inOrder(() => void this.#items.push(...added));
  }

  async popItem() {
    return this.#inOrder(async () => {
      const last = this.#items.at(-1);
      // A summary is not an item that anybody added: the newest item is its last original.
      if (last !== undefined && isFromCompression(last, recordIdsIn(this.#items))) this.#items = await this.#expanded();
      return this.#items.pop();
    });
  }

  async clearSession() {
    return this.#inOrder(async () => {
      await this.#archive.delete(this.#sessionId);
      this.#items = [];
    });
  }

  /** Called by the runner when a turn is stored. @param {{ force?: boolean }} [options] */
  async runCompaction(options) {
    return this.#inOrder(async () => {
      // Both change the array in place.
      if (options?.force === true) await this.#manager.compress(this.#items);
      else await this.#manager.process(this.#items);
      // The return value would be the usage of the SDK's own compaction.
      return null;
    });
  }

  /** All items that were added and neither popped nor cleared. */
  async getAllItems() {
    return this.#inOrder(async () => structuredClone(await this.#expanded()));
  }

  /** JSON for `initialItems` in another process. */
  async exportItems() {
    return this.#inOrder(() => structuredClone(this.#items));
  }

  /** @returns {Promise<any[]>} */
  async #expanded() {
    return expandHistory(this.#items, { archive: this.#archive, sessionId: this.#sessionId });
  }

  /** @template T @param {() => T | Promise<T>} work @returns {Promise<T>} */
  #inOrder(work) {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }
}

module.exports = { ArchivingSession };
