import { describe, expect, it } from '@jest/globals';
import { type Stock, id } from '@slipstream/domain';
import { STOCKS, fixture } from '../fixture.js';

const operator = { kind: 'operator' } as const;
const [aStock] = STOCKS as [Stock];

/** An instrument as a file or a newer release lists it. */
const listed = (symbol: string, exchange = 'NYSE', stock = symbol): Stock => ({
  ...aStock,
  ...{ id: id(`${symbol}.${exchange}`.toLowerCase()), symbol, stock, exchange, name: symbol },
});

type World = Awaited<ReturnType<typeof fixture>>;
const added = ({ app }: World, symbol: string, exchange: string, stock = symbol) =>
  app.updateStocks(operator, {
    stocks: [{ symbol, exchange, stock, security: 'stock', name: symbol }],
  });
const known = async ({ app }: World, ...stocks: string[]): Promise<string[]> =>
  (await app.getStocks(operator, { stocks })).map(({ stock }) => stock.id);

describe('an instrument of a list is left out', () => {
  it.each<[why: string, before: (world: World) => Promise<unknown>, name: string, list: Stock[]]>([
    ['the operator added', (world) => added(world, 'ZED', 'NYSE'), 'ZED:NYSE', [listed('ZED')]],
    [
      'the operator added in other letters',
      (world) => added(world, 'zed', 'nyse'),
      'ZED:NYSE',
      [listed('ZED')],
    ],
    [
      'has the name that the operator gave to another one',
      async (world) => {
        await world.app.importStocks([listed('OLD')]);
        await world.app.updateStocks(operator, {
          stocks: [{ stockId: 'old.nyse', symbol: 'ZED' }],
        });
      },
      'ZED:NYSE',
      [listed('ZED')],
    ],
    [
      'has the second name of another one',
      (world) => added(world, 'ZEDUSD', 'NYSE', 'ZED'),
      'ZED:NYSE',
      [listed('ZED')],
    ],
    ['is in the list twice', async () => undefined, 'ZED:NYSE', [listed('ZED'), listed('ZED')]],
  ])('that %s: a name stays that of one', async (_, before, name, list) => {
    const world = await fixture();
    await before(world);
    const others = await world.app.importStocks([...list, listed('YAK')]);
    const [own, ...more] = await known(world, name);
    expect(own).toBeDefined();
    expect(more).toEqual([]);
    expect(await known(world, 'YAK:NYSE')).toEqual(['yak.nyse']);
    expect(others).toBeLessThanOrEqual(2);
    const again = await world.app.importStocks([...list, listed('YAK')]);
    expect(again).toBe(0);
  });

  it('but not a coin in another currency, whose second name is the same', async () => {
    const world = await fixture();
    await world.app.importStocks([listed('ZEDUSD', 'X', 'ZED'), listed('ZEDEUR', 'X', 'ZED')]);
    expect(await known(world, 'ZEDUSD:X', 'ZEDEUR:X')).toEqual(['zedusd.x', 'zedeur.x']);
  });
});
