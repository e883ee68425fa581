// @ts-check
/** Defines the elements of `palimpsest/elements`; needs no framework, addon or Node.js. */
import { define } from './base/element.js';
import { ContextChart } from './chart/context-chart.js';
import { ContextLimitDialog } from './context-limit-dialog.js';
import { CompressionHistory } from './history/compression-history.js';
import { ContextMap } from './map/context-map.js';
import { ToolProgress } from './tool-progress.js';

define('compression-history', CompressionHistory);
define('context-chart', ContextChart);
define('context-limit-dialog', ContextLimitDialog);
define('context-map', ContextMap);
define('tool-progress', ToolProgress);

export { CompressionHistory, ContextChart, ContextLimitDialog, ContextMap, ToolProgress };
