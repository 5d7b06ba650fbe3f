import { describe, expect, it } from '@jest/globals';
import { ONE } from '@slipstream/domain';
import type { Broker } from '@slipstream/ports';
import { type BotDeps, getBotAccount, previewBot } from '../../../src/mirroring/index.js';
import { Moments } from '../../moments.js';
import { type BotWorld, STEADY, aBotWorld, follower } from '../bot-world.js';

/** The subscription ends, and what the strategy holds is another stock then. */
async function ends({ unitOfWork, hold }: BotWorld): Promise<void> {
  await unitOfWork.run(async ({ subscriptions }) => {
    const row = await subscriptions.findCurrent(STEADY, follower);
    if (row) await subscriptions.save({ ...row, status: 'cancelled' });
  });
  await hold(STEADY, '0.5', { bolt: '0.005' });
}

type Reading = (deps: BotDeps, botId: string) => Promise<unknown>;

const READINGS: readonly (readonly [string, Reading])[] = [
  ['getBotAccount', (deps, botId) => getBotAccount(deps)(follower, { botId })],
  ['previewBot', (deps, botId) => previewBot(deps)(follower, { botId })],
  [
    'previewBot of a new bot',
    (deps) =>
      previewBot(deps)(follower, {
        type: 'stock',
        broker: 'simulated',
        allocations: [{ strategyId: STEADY, percent: ONE }],
      }),
  ],
];

const codeOf = (error: unknown): unknown => (error as { readonly code?: string }).code;

describe('a bot whose subscription has ended', () => {
  it('has no target in getBotAccount any more', async () => {
    const world = await aBotWorld();
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    const { id: botId } = await world.aNewBot();
    const account = () => world.bots.account(follower, { botId });
    expect((await account()).missing.map(({ symbol }) => symbol)).toEqual(['ACME']);
    await ends(world);
    expect(await account()).toMatchObject({ missing: [], drift: null });
  });

  it.each(READINGS)(
    'tells nothing of what is traded after it, at every moment of %s',
    async (_, reads) => {
      for (let moment = 1; ; moment += 1) {
        const moments = new Moments(moment);
        const world = await aBotWorld();
        await world.hold(STEADY, '0.5', { acme: '0.005' });
        const { id: botId } = await world.aNewBot();
        const broker: Broker = moments.watched(world.broker, ['before']);
        const deps: BotDeps = {
          ...world.deps,
          brokers: new Map([[broker.name, broker]]),
          unitOfWork: moments.watched(world.deps.unitOfWork, ['before']),
        };
        let answer: unknown;
        await moments.amid(
          () => ends(world),
          async () => {
            answer = await reads(deps, botId).catch(codeOf);
          },
        );
        expect([moment, JSON.stringify(answer).toLowerCase().includes('bolt')]).toEqual([
          moment,
          false,
        ]);
        if (!moments.hasCome) break;
      }
    },
  );
});
