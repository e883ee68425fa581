// @ts-check
/** Exit codes of the command. */
export const success = 0;
/** At least one file failed; the others were processed. */
export const someFilesFailed = 1;
export const usageError = 2;
/** 128 + SIGINT, the exit code that shells report. */
export const interruptedBySignal = 130;
