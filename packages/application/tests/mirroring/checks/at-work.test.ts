import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Bot, advance } from '@slipstream/domain';
import type { Broker } from '@slipstream/ports';
import { AtWork, BotReconciler, inTurns } from '../../../src/mirroring/index.js';
import type { BotDeps } from '../../../src/mirroring/bot-deps.js';
import { type BotWorld, STEADY, aBotWorld } from '../bot-world.js';

const BOTS = 150;
const never = new Promise<never>(() => undefined);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Until nothing goes on any more. */
async function turns(): Promise<void> {
  for (let count = 0; count < 500; count += 1) await turn();
}

let world: BotWorld;
let due: Bot[];

beforeEach(async () => {
  world = await aBotWorld({}, { bots: 1_000 });
  await world.hold(STEADY, '0.5', { acme: '0.005' });
  due = [];
  for (let count = 0; count < BOTS; count += 1) due.push(await world.aNewBot());
  await world.unitOfWork.run(async ({ bots }) => {
    for (const bot of due)
      await bots.save({ ...advance(bot, 'start'), nextRunAt: world.clock.now() - 1 });
  });
});

const simulated = (): Broker => world.brokers.get('simulated') ?? world.broker;

/** A reconciler as a server has it, with another broker or another storage for its transactions. */
function reconciler({
  account,
  run = world.deps.unitOfWork.run,
}: {
  account: Broker['account'];
  run?: BotDeps['unitOfWork']['run'];
}): BotReconciler {
  const atWork = new AtWork();
  const broker = { ...simulated(), account };
  const deps = {
    ...world.deps,
    pause: turn,
    brokers: new Map([[broker.name, broker]]),
    unitOfWork: { ...world.deps.unitOfWork, run },
  };
  return new BotReconciler(inTurns(deps, atWork), atWork);
}

describe('checks of hundreds of bots', () => {
  it('work a few at a time: the others begin when those have ended', async () => {
    const begun = new Set<string>();
    const account: Broker['account'] = (access, instruments) => {
      begun.add(access.accountId);
      return simulated().account(access, instruments);
    };
    void reconciler({ account, run: () => never }).runDueBots();
    await turns();
    // Some begin while those before them ask their broker.
    expect(begun.size).toBeGreaterThanOrEqual(48);
    expect(begun.size).toBeLessThanOrEqual(56);
  });

  it('do not count while they wait for their broker', async () => {
    let asked = 0;
    const account = (): Promise<never> => {
      asked += 1;
      return never;
    };
    void reconciler({ account }).runDueBots();
    await turns();
    expect(asked).toBe(128);
  });

  it('all end, also when their brokers answer all at once', async () => {
    let answer = (): void => undefined;
    const opened = new Promise<void>((resolve) => (answer = resolve));
    const account: Broker['account'] = async (access, instruments) => {
      await opened;
      return simulated().account(access, instruments);
    };
    const run = reconciler({ account }).runDueBots();
    await turns();
    answer();
    await run;
    for (const bot of due) await world.expectInLine(bot);
    world.expectSentOnce();
  });
});
