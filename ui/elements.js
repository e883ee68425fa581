// @ts-check
/** `palimpsest/elements`: importing it defines the elements. Needs no framework, no addon and no Node.js. */
import { define } from './base/element.js';
import { ContextChart } from './chart/context-chart.js';
import { ContextMap } from './map/context-map.js';
import { ToolProgress } from './tool-progress.js';

define('context-chart', ContextChart);
define('context-map', ContextMap);
define('tool-progress', ToolProgress);

export { ContextChart, ContextMap, ToolProgress };
