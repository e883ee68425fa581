import {
  TokenCalibration,
  type TokenCalibrationState,
  type TokenObservationResult,
  type TokenPrediction,
} from 'palimpsest';
import { expectTrue, type Same } from './expect.js';

const calibration = new TokenCalibration({ model: 'gpt-5', provider: 'openai', maxContextTokens: 400_000 });
new TokenCalibration();
new TokenCalibration({ estimatedIn: 'o200k_base' });
// @ts-expect-error no such unit
new TokenCalibration({ estimatedIn: 'chars' });

/** Usage types of the providers' packages: objects without an index signature. */
interface AnthropicUsage {
  input_tokens: number;
  cache_read_input_tokens: number | null;
  cache_creation_input_tokens: number | null;
}
declare const usage: AnthropicUsage;
declare const absent: AnthropicUsage | undefined;
const seen = calibration.observe({ usage, estimate: 900, mediaShare: 0, prefixUnchanged: true });
expectTrue<Same<typeof seen, TokenObservationResult>>();
calibration.observe({ usage: absent, estimate: 900 });
calibration.observe({ usage: 1_234, estimate: 900 });
// @ts-expect-error `estimate` is required
calibration.observe({ usage });
// @ts-expect-error usage is not a string
calibration.observe({ usage: '1234', estimate: 900 });

const predicted = calibration.predict(1_000, { prefixUnchanged: false });
expectTrue<Same<typeof predicted, TokenPrediction>>();
export const most: number = predicted.settled ? predicted.tokens : predicted.tokens + predicted.margin;

const state: TokenCalibrationState = JSON.parse(JSON.stringify(calibration.export()));
expectTrue<Same<ReturnType<typeof TokenCalibration.import>, TokenCalibration>>();
TokenCalibration.import(state).predict(1_000);
