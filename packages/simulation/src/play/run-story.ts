import { decimal, id } from '@slipstream/domain';
import { checkAcknowledged, checkIdle } from '../invariants/idle.js';
import { checkBots } from '../invariants/mirroring/bots.js';
import { checkDoneOnce, countRows } from '../invariants/keys.js';
import { checkStep, stateOf } from '../invariants/step.js';
import { beginOn, drive, runAtBeginning } from './beginning.js';
import type { Bug } from '../bugs/bug.js';
import type { Coverage } from '../world/coverage.js';
import { faultPlan } from '../story/fault-plan.js';
import { converge } from './liveness.js';
import { commandContext } from '../perform/context.js';
import { perform } from '../perform/perform.js';
import { openingSteps } from '../story/openings.js';
import { boot } from '../core/boot.js';
import type { Process } from '../run/process.js';
import { rememberRights } from '../invariants/rights.js';
import type { Outcome } from '../run/outcome.js';
import type { Step, Story } from '../story/story.js';
import type { Violation } from '../world/violation.js';
import { type Run, crash } from '../run/run.js';
import type { OpenStorage } from '../world/storages.js';
import { repeatOn } from '../world/storage-log.js';

/** The result of a run. */
export interface RunResult {
  readonly violation: Violation | undefined;
  readonly coverage: Coverage;
  /** The same story gives the same lines. */
  readonly trace: readonly string[];
}

const KINDS: Readonly<Record<string, Outcome['kind']>> = {
  Refusal: 'refused',
  NothingThere: 'nothing',
};

/** Errors that only result from a fault. */
const EXPECTED = [
  'StorageUnavailable',
  'BrokerUnreachable',
  'BrokerRateLimited',
  'BrokerRefused',
  'PaymentUnreachable',
];

/** Several parts of one call may fail for reasons of their own. */
const isExpected = (error: Error): boolean =>
  error instanceof AggregateError
    ? (error.errors as readonly Error[]).every(isExpected)
    : EXPECTED.includes(error.name);

/** Starts the core, again after every fault that ends it. */
async function start(run: Run, order: readonly number[]): Promise<void> {
  const { world, memory } = run;
  for (;;) {
    const process = (run.process = boot(run));
    let failure: Error | undefined;
    let started = false;
    process.application.lifecycle.start().then(
      () => (started = true),
      (error: Error) => (failure = error),
    );
    await world.schedule.run(order, () => world.violation !== undefined);
    if (world.violation) return;
    if (started) break;
    if (process.alive && failure === undefined) {
      return world.violate('hang', 'a start never comes to its end');
    }
    if (failure && !isExpected(failure)) {
      return world.violate('start', `a start failed: ${String(failure)}`);
    }
    if (process.alive) crash(run, 'at a start that failed');
  }
  world.reach('started');
  // The crash leaves open which answers arrived.
  memory.inbox.heard.clear();
  memory.measuredAt = undefined;
  memory.knownQuotes.clear();
  for (const row of world.database.rows<Record<string, string>>('SELECT * FROM quotes')) {
    const { stock_id = '', bid = '', ask = '', last = '', at } = row;
    memory.knownQuotes.set(stock_id, {
      stockId: id(stock_id),
      bid: decimal(bid),
      ask: decimal(ask),
      last: decimal(last),
      at: Number(at),
    });
  }
  checkAcknowledged(run);
}

/** Gives all commands of a step at once and runs all tasks that follow from them. */
async function performStep(run: Run, step: Step): Promise<Outcome[]> {
  const { world } = run;
  const process = run.process as Process;
  const outcomes = step.commands.map((command): Outcome => {
    const outcome: Outcome = { command, kind: 'crashed', error: undefined };
    const settle = (kind: Outcome['kind'], error?: Error): void => {
      if (!process.alive) return;
      outcome.kind = kind;
      outcome.error = error;
    };
    perform(commandContext(run, process, command.key), command).then(
      () => settle('answered'),
      (error: Error) => settle(KINDS[error.name] ?? 'failed', error),
    );
    return outcome;
  });
  await world.schedule.run(step.order, () => world.violation !== undefined);
  if (world.violation) return outcomes;
  for (const { kind, error, command } of outcomes) {
    world.note(`${command.do} ${kind}${error === undefined ? '' : ` (${String(error)})`}`);
    world.reach(`${command.do}: ${kind}`);
    if (kind === 'crashed' && process.alive) {
      world.violate('hang', `${command.do} never comes to its end`);
    }
    if (kind === 'failed' && error && !isExpected(error)) {
      world.violate('error', `${command.do} failed: ${String(error)}`);
    }
    if (kind === 'failed' && world.faults.met() === 0) {
      world.violate('error', `${command.do} failed without a fault: ${String(error)}`);
    }
  }
  return outcomes;
}

/** Delivers late requests, for which nobody waits any more, to the broker. */
async function deliverLate({ world }: Run): Promise<void> {
  for (const call of world.late.splice(0)) {
    world.note('a late request arrives');
    await call().catch(() => undefined);
  }
}

/** One step of the safety phase. */
async function playStep(run: Run, step: Step): Promise<void> {
  const { world, memory } = run;
  world.note(`step: ${step.commands.map((command) => command.do).join(' and ')}`);
  world.faults = faultPlan(step.faults);
  world.interleaves = step.commands.length > 1;
  memory.errors.length = 0;
  memory.dividendsPaid = 0;
  memory.keys.sent.length = 0;
  rememberRights(run);
  const onlyKeyed = step.commands.every((one) => one.key !== undefined || one.do === 'repeat');
  const rows = onlyKeyed ? countRows(world) : undefined;
  const before = stateOf(run);
  const outcomes = await performStep(run, step);
  if (!world.violation && !run.process?.alive) await start(run, step.order);
  await deliverLate(run);
  if (world.violation) return;
  world.interleaves = false;
  checkStep(run, step, outcomes, before);
  if (rows) checkDoneOnce(run, rows);
  checkBots(run);
  checkIdle(run);
  if (!world.violation) await follow(run, step);
}

/** A process that waits for the end of this one reads the books after some steps. */
async function follow({ world, process }: Run, { commands }: Step): Promise<void> {
  if (commands.length > 1 || !process) return;
  world.faults = faultPlan([]);
  await drive(world, process.follow());
}

/** Plays a story: its steps under their faults, then a time without faults, at whose end everything must be at rest. */
export async function runStory(
  story: Story,
  bug?: Bug,
  openStorage?: OpenStorage,
): Promise<RunResult> {
  const { reversed, carries = false, strictBroker, manners, broker } = story;
  const logsStorage = openStorage !== undefined;
  const options = {
    strictBroker,
    manners,
    broker,
    logsStorage,
    reversed: reversed && !logsStorage,
    carries: carries && !logsStorage,
  };
  const run = await runAtBeginning(options, bug);
  const { world } = run;
  const other = await openStorage?.();
  /** Repeats the core's transactions on the other storage. */
  const repeat = async (): Promise<void> => {
    const found = other && (await repeatOn(other, world.storageLog?.take() ?? []));
    if (found !== undefined) world.violate('storage', found);
  };
  try {
    const found = other && (await beginOn(other));
    if (found !== undefined) world.violate('storage', found);
    await start(run, []);
    await repeat();
    for (const step of [...openingSteps(story.opening), ...story.steps]) {
      if (world.violation) break;
      await playStep(run, step);
      await repeat();
    }
    if (!world.violation) await converge(run);
    await repeat();
    if (!world.violation) checkAcknowledged(run);
  } catch (error) {
    world.violate('error', String((error as Error).stack ?? error));
  }
  run.process?.kill();
  world.database.close();
  await other?.close?.();
  const { violation, coverage, trace } = world;
  if (violation) trace.push(violation.message);
  return { violation, coverage, trace };
}
