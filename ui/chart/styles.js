// @ts-check
/** CSS of `<context-chart>`. */
import { SLOTS } from '../picture/palette.js';
import { PICTURE_STYLES } from '../picture/picture-element.js';

export const CHART_STYLES = `
${PICTURE_STYLES}
:host {
  --_policy-left: var(--palimpsest-policy-left-alone, light-dark(#57606a, #a2abb8));
  --_policy-every: var(--palimpsest-policy-every-request, light-dark(#a04a00, #f0a050));
  --_policy-view: var(--palimpsest-policy-view, light-dark(#0b57b0, #7db4ff));
  --_policy-paid: var(--palimpsest-policy-paid, light-dark(#8a1f80, #e08ad8));
}
.title { margin: 12px 0 4px; font-weight: 600; }
.panel { display: block; max-width: 100%; overflow: visible; cursor: crosshair; }
.panel text { font: 11px/1 var(--_font); fill: var(--_muted); font-variant-numeric: tabular-nums; }
.panel .name { fill: var(--_text); paint-order: stroke; stroke: var(--_background); stroke-width: 3px; stroke-linejoin: round; pointer-events: none; }
.grid { stroke: var(--_border); stroke-width: 1; }
.area { stroke: var(--_background); stroke-width: .75; }
${SLOTS.map((slot) => `.area[data-slot='${slot}'] { fill: var(--_cell-${slot}); }`).join('\n')}
.texture { pointer-events: none; }
.thread { fill: none; stroke: var(--_background); stroke-width: 1.2; stroke-opacity: .6; }
.view-line, .view-halo { fill: none; stroke: var(--_text); stroke-width: 2; stroke-dasharray: 5 3; }
.view-halo { stroke: var(--_background); stroke-width: 4; stroke-dasharray: none; }
.compaction-line { fill: none; stroke: var(--_text); stroke-width: 1.5; stroke-dasharray: 2 3; }
.loss { fill: var(--_ink-pending); stroke: var(--_ink-pending); stroke-width: 1; }
.begin { fill: none; stroke: var(--_text); stroke-width: 1.5; }
.cursor { fill: var(--_text); fill-opacity: .18; stroke: var(--_text); stroke-width: 1; pointer-events: none; }
.policy { fill: none; stroke-width: 1.75; }
.policy[data-policy='leftAlone'] { stroke: var(--_policy-left); }
.policy[data-policy='everyRequest'] { stroke: var(--_policy-every); stroke-dasharray: 2 2; }
.policy[data-policy='view'] { stroke: var(--_policy-view); stroke-width: 2.5; }
.policy[data-policy='paid'] { stroke: var(--_policy-paid); stroke-dasharray: 8 3 2 3; }
.reading { min-height: 3em; margin: 4px 0; }
.steps { display: flex; gap: 8px; }
.swatch, .sample { flex: none; }
.sample { vertical-align: middle; margin-inline-end: 6px; }
.marks .amount { white-space: normal; }
.scroller, .table-scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { padding: 4px 0; text-align: start; color: var(--_muted); }
th, td { padding: 3px 10px 3px 0; border-bottom: 1px solid var(--_border); text-align: end; white-space: nowrap; }
th { font-weight: 600; }
thead th { color: var(--_muted); font-weight: 400; vertical-align: bottom; white-space: normal; }
th:first-child { text-align: start; }
.policies { width: 100%; }
.policies th[scope='row'] { white-space: normal; font-weight: 400; }
@media (max-width: 480px) { .policies { font-size: .87em; } .policies :is(th, td) { padding-inline-end: 6px; } .policies .sample { display: block; } }
.part-known { color: var(--_muted); }
.data { margin-top: 12px; }
.table-scroll { max-height: 420px; overflow: auto; margin-top: 6px; border: 1px solid var(--_border); border-radius: 6px; padding: 0 8px; }
.turns { display: flex; gap: 8px; margin-top: 6px; }
.note { color: var(--_muted); }
@media (forced-colors: active) {
  :host { --_policy-left: CanvasText; --_policy-every: CanvasText; --_policy-view: Highlight; --_policy-paid: CanvasText; }
  .area { stroke: CanvasText; }
  .thread { stroke: CanvasText; stroke-opacity: 1; }
}
`;
