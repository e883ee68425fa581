// @ts-check
/** Defines the elements of `palimpsest/elements`; needs no framework, addon or Node.js. */
import { ContextChart } from './chart/context-chart.js';
import { ContextLimitDialog } from './context-limit-dialog.js';
import { CompressionHistory } from './history/compression-history.js';
import { ContextMap } from './map/context-map.js';
import { ToolProgress } from './tool-progress.js';

/** @param {string} name @param {CustomElementConstructor} element */
function define(name, element) {
  // Without a DOM, as in server-side rendering, there is no registry; another copy of this file may have defined it.
  if (globalThis.customElements?.get(name) === undefined) globalThis.customElements?.define(name, element);
}

define('compression-history', CompressionHistory);
define('context-chart', ContextChart);
define('context-limit-dialog', ContextLimitDialog);
define('context-map', ContextMap);
define('tool-progress', ToolProgress);

export { CompressionHistory, ContextChart, ContextLimitDialog, ContextMap, ToolProgress };
