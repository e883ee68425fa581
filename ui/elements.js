// @ts-check
/** `palimpsest/elements`: importing it defines the elements. Needs no framework, no addon and no Node.js. */
import { define } from './base/element.js';
import { ContextLimitDialog } from './context-limit-dialog.js';
import { CompressionHistory } from './history/compression-history.js';
import { ToolProgress } from './tool-progress.js';

define('compression-history', CompressionHistory);
define('context-limit-dialog', ContextLimitDialog);
define('tool-progress', ToolProgress);

export { CompressionHistory, ContextLimitDialog, ToolProgress };
