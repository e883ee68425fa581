/** R13: the types of `palimpsest/openai-agents` fit those of the Agents SDK. */
import { Agent, type AgentInputItem, type CallModelInputFilter, Runner, run, type Session } from '@openai/agents';
import { SessionArchive } from 'palimpsest';
import { ArchivingSession, modelInputFilter } from 'palimpsest/openai-agents';
import { expectTrue, type Same } from '../expect.js';

interface Context {
  user: string;
}
const agent = new Agent<Context>({ name: 'agent' });
const filter = modelInputFilter({ price: 'openai', budgetTokens: 50_000 });
expectTrue<typeof filter extends CallModelInputFilter<Context> ? true : false>();
const runner = new Runner({ callModelInputFilter: filter });
const stop: () => void = filter.observe(runner);
filter.observe(agent);
stop();

const archive = new SessionArchive('history.db');
const llmClient = async () => 'a summary';
const session: Session = new ArchivingSession({
  sessionId: 'one',
  archive,
  compression: { config: { maxContextTokens: 50_000 }, llmClient },
});
void runner.run(agent, 'Go on.', { session, context: { user: 'me' } });
void run(agent, 'Go on.', { session, stream: true, callModelInputFilter: filter });

const compressing = new ArchivingSession({ sessionId: 'one', archive, compression: { config: {}, llmClient } });
declare const all: Awaited<ReturnType<typeof compressing.getAllItems>>;
expectTrue<Same<typeof all, AgentInputItem[]>>();
new ArchivingSession({ sessionId: 'one', archive, compression: { config: {}, llmClient }, initialItems: all });

// @ts-expect-error `sessionId` is required
new ArchivingSession({ archive, compression: { config: {}, llmClient } });
// @ts-expect-error no such price list
modelInputFilter({ price: 'cheap' });
// @ts-expect-error neither a runner nor an agent
filter.observe({});
