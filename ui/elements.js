// @ts-check
/** `palimpsest/elements`: importing it defines the elements. Needs no framework, no addon and no Node.js. */
import { define } from './base/element.js';
import { ToolProgress } from './tool-progress.js';

define('tool-progress', ToolProgress);

export { ToolProgress };
