import { describe, expect, it } from '@jest/globals';
import { type AlertAction, type MarketPosition, decimal } from '@slipstream/domain';
import { openMemory } from '@slipstream/adapter-memory';
import { StorageUnavailable } from '@slipstream/ports';
import { fixture, text } from '../fixture.js';

/** An owner whose platform tells its moves: from one position to another, signed. */
async function platform() {
  const memory = openMemory();
  let failing = false;
  const unitOfWork: typeof memory = {
    ...memory,
    run: (work, options) =>
      memory.run(async (stores) => {
        const answer = await work(stores);
        if (failing) throw new StorageUnavailable('the disk is full');
        return answer;
      }, options),
  };
  const world = await fixture({ unitOfWork });
  const owner = await world.user('owner');
  const strategyId = await world.strategy(owner);
  await world.quote('aapl', '100');
  const { clock } = world.ports;
  let requests = 0;
  const sideOf = (size: number): MarketPosition =>
    size === 0 ? 'flat' : size > 0 ? 'long' : 'short';
  const size = (of: number) => decimal(String(Math.abs(of)));
  const send = async (from: number, to: number, stock = 'aapl') => {
    requests += 1;
    clock.advance(100);
    const command = {
      ...{ strategyId, stock, marketPosition: sideOf(to) },
      action: (to > from ? 'buy' : 'sell') as AlertAction,
      ...{ positionSize: size(to), previousPositionSize: size(from) },
    };
    const id = `request-${requests}`;
    await world.app.newOrderWebhook(owner, command, { id, body: `${stock} from ${from} to ${to}` });
    world.app.alertAnswered(id);
    return id;
  };
  const held = async () => {
    const { positions } = await world.app.getPositions(owner, { strategyId });
    return positions.map(({ position }) => text(position.amount));
  };
  /** The newest verdict. */
  const told = async () => {
    const [alert] = await world.app.getAlerts(owner, { strategyId });
    return [alert?.verdict, alert?.reason];
  };
  const fails = async (work: () => Promise<unknown>) => {
    failing = true;
    await expect(work()).rejects.toBeInstanceOf(StorageUnavailable);
    failing = false;
  };
  return { ...world, owner, strategyId, clock, send, held, told, fails };
}

describe('an alert that comes after the one that follows it on the platform', () => {
  it('trades nothing and cancels nothing, and the inbox says which one overtook it', async () => {
    const { send, held, told } = await platform();
    await send(0, 10);
    const by = await send(0, -10);
    const short = await held();
    await send(10, 0);
    expect(await held()).toEqual(short);
    expect(await told()).toEqual([
      'no_change',
      `overtaken by ${by}, which came first and follows it on the platform`,
    ]);
  });

  it('opens nothing that the platform has left', async () => {
    const { send, held } = await platform();
    await send(0, 10);
    await send(10, 0);
    await send(-7, 0);
    await send(0, -7);
    expect(await held()).toEqual([]);
  });

  it('is found when the server refused it at first, and it was sent again', async () => {
    const { send, held, clock, fails } = await platform();
    await send(0, 10);
    await fails(() => send(10, 0));
    await send(0, -10);
    const short = await held();
    clock.advance(5_000);
    await send(10, 0);
    expect(await held()).toEqual(short);
  });

  it('counts for its own stock', async () => {
    const { send, held, quote } = await platform();
    await quote('msft', '100');
    await send(0, 10, 'msft');
    await send(0, -10);
    await send(10, 0, 'msft');
    expect(await held()).toEqual(['-0.00996']);
  });

  it('is found among many alerts of another stock', async () => {
    const { send, held, quote } = await platform();
    await quote('msft', '100');
    await send(0, 10);
    await send(0, -10);
    for (let count = 0; count < 20; count += 1) await send(count, count + 1, 'msft');
    const both = await held();
    await send(10, 0);
    expect([both.length, await held()]).toEqual([2, both]);
  });

  it('is taken as it comes when an alert between told no sizes', async () => {
    const { send, held, app, owner, strategyId } = await platform();
    await send(0, 10);
    await send(0, -10);
    const plain = { strategyId, stock: 'aapl', action: 'sell' } as const;
    await app.newOrderWebhook(owner, plain, { id: 'plain', body: 'plain' });
    await send(10, 0);
    expect(await held()).toEqual([]);
  });
});
