// @ts-check
/** CSS of `<context-map>`. */
import { SAFE_TEXT_STYLES } from '../base/safe-text.js';
import { PICTURE_STYLES } from '../picture/styles.js';

export const MAP_STYLES = `
${PICTURE_STYLES}
${SAFE_TEXT_STYLES}
.summary { margin: 4px 0 8px; }
.surface { position: relative; }
.surface canvas { display: block; width: 100%; }
.list { position: absolute; inset: 0; overflow: hidden; cursor: pointer; }
.list:focus-visible { outline-offset: 3px; }
.option { position: absolute; inset: 0 auto auto 0; pointer-events: none; }
.option.ringed { outline: 2px solid var(--_text); outline-offset: -1px; box-shadow: 0 0 0 3px var(--_background); }
.reading { min-height: 3em; margin: 4px 0 0; overflow-wrap: anywhere; }
.reading.hint { color: var(--_muted); }
.detail { margin-top: 12px; padding: 12px; border: 1px solid var(--_border); border-radius: var(--_radius); background: var(--_surface); }
.detail[hidden] { display: none; }
.detail-head { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: flex-start; justify-content: space-between; }
.detail-head button { flex: none; }
#detail-title { flex: 1 1 220px; min-width: 0; }
#detail-title, .side-title { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
.side-title { color: var(--_muted); }
.sides { display: flex; flex-wrap: wrap; gap: 12px; margin-top: 8px; }
.side { flex: 1 1 260px; min-width: 0; }
.sides > p { flex: 1 0 100%; margin: 0; }
.scroll { max-height: 400px; margin-top: 4px; padding: 8px; overflow: auto; border: 1px solid var(--_border); border-radius: 6px; background: var(--_background); font: .92em/1.45 var(--_mono); }
.note { margin: 0; color: var(--_muted); }
.message-part + .message-part { margin-top: 8px; }
.part-name { color: var(--_muted); font-weight: 600; }
@media (forced-colors: active) { .option.ringed { outline-color: Highlight; box-shadow: none; } }
`;
