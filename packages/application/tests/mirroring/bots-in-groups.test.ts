import { describe, expect, it } from '@jest/globals';
import { fewATurn, oneATurn } from '@slipstream/ports';
import { inTurns } from '../../src/mirroring/index.js';
import type { BotDeps } from '../../src/mirroring/bot-deps.js';

const BOTS = 200;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A storage that commits in the next turn of the event loop; it counts the transactions that wait in it. */
function aStorage() {
  const sizes: number[] = [];
  let waiting = 0;
  const run: BotDeps['unitOfWork']['run'] = async (work) => {
    waiting += 1;
    await turn();
    if (waiting > 0) sizes.push(waiting);
    waiting = 0;
    return work({} as never);
  };
  const unitOfWork: BotDeps['unitOfWork'] = { run, read: (work) => work({} as never) };
  return { sizes, deps: { unitOfWork, brokers: new Map(), pause: turn } };
}

describe('answers that come together', () => {
  it('go on one in each turn of the event loop, in their order, failures too', async () => {
    const inTurn = oneATurn(turn);
    const wentOn: string[] = [];
    const go = async (name: string, answer: Promise<unknown>): Promise<void> => {
      await inTurn(answer).catch(() => undefined);
      wentOn.push(name);
    };
    const all = [
      go('first', Promise.resolve()),
      go('second', Promise.reject(new Error('no'))),
      go('third', Promise.resolve()),
    ];
    for (let turns = 1; turns <= 3; turns += 1) {
      await turn();
      expect(wentOn.length).toBeLessThanOrEqual(turns);
    }
    await Promise.all(all);
    expect(wentOn).toEqual(['first', 'second', 'third']);
  });

  it('go on a few in each turn, also those that come later', async () => {
    const inTurn = fewATurn(turn, 2);
    let wentOn = 0;
    const come = (): Promise<void>[] =>
      Array.from({ length: 5 }, () =>
        inTurn(Promise.resolve()).then(() => {
          wentOn += 1;
        }),
      );
    for (const before of [0, 5]) {
      const all = come();
      for (let turns = 0; turns <= 3; turns += 1) {
        expect(wentOn).toBeLessThanOrEqual(before + 2 * turns);
        await turn();
      }
      await Promise.all(all);
    }
    expect(wentOn).toBe(10);
  });
});

describe('transactions of hundreds of bots', () => {
  it('come to the storage a few at a time, so that one of a user waits for few', async () => {
    const { sizes, deps } = aStorage();
    const { unitOfWork } = inTurns(deps);
    const saved: number[] = [];
    const check = async (bot: number): Promise<void> => {
      for (let write = 0; write < 3; write += 1) await unitOfWork.run(async () => undefined);
      saved.push(bot);
    };
    await Promise.all(Array.from({ length: BOTS }, (_, bot) => check(bot)));
    expect(saved).toEqual(Array.from({ length: BOTS }, (_, bot) => bot));
    expect(Math.max(...sizes)).toBe(16);
  });

  it('share a commit although their bots go on one after the other', async () => {
    const { sizes, deps } = aStorage();
    const { unitOfWork } = inTurns(deps);
    const check = async (): Promise<void> => {
      for (let write = 0; write < 3; write += 1) await unitOfWork.run(async () => undefined);
    };
    await Promise.all(Array.from({ length: BOTS }, check));
    expect(sizes.length).toBeLessThan((BOTS * 3) / 10);
  });

  it('share a commit also when only every third turn brings one', async () => {
    const { sizes, deps } = aStorage();
    const { unitOfWork } = inTurns(deps);
    const asked: Promise<void>[] = [];
    for (let bot = 0; bot < 48; bot += 1) {
      asked.push(unitOfWork.run(async () => undefined));
      for (let turns = 0; turns < 3; turns += 1) await turn();
    }
    await Promise.all(asked);
    expect(sizes.length).toBeLessThanOrEqual(6);
  });

  it('fail alone: those beside and after it go on', async () => {
    const { unitOfWork } = inTurns(aStorage().deps);
    const asked = [0, 1, 2].map((bot) =>
      unitOfWork.run(async () => {
        if (bot === 1) throw new Error('no');
        return bot;
      }),
    );
    const ended = await Promise.allSettled(asked);
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await unitOfWork.run(async () => 'later')).toBe('later');
  });
});
