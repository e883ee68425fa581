// @ts-check
/** Defines the elements of `palimpsest/elements`; needs no framework, addon or Node.js. */
import { ContextChart } from './chart/context-chart.js';
import { ContextLimitDialog } from './context-limit-dialog.js';
import { CompressionHistory } from './history/compression-history.js';
import { ContextMap } from './map/context-map.js';
import { ToolProgress } from './tool-progress.js';

const elements = {
  'compression-history': CompressionHistory,
  'context-chart': ContextChart,
  'context-limit-dialog': ContextLimitDialog,
  'context-map': ContextMap,
  'tool-progress': ToolProgress,
};
// There is no registry without a DOM, as in server-side rendering; another copy of this file may have defined a name.
for (const [name, element] of Object.entries(elements)) {
  if (globalThis.customElements?.get(name) === undefined) globalThis.customElements?.define(name, element);
}

export { CompressionHistory, ContextChart, ContextLimitDialog, ContextMap, ToolProgress };
