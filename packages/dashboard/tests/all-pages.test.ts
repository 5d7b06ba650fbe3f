import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from '@slipstream/client';
import { type ComposedServer, composedServer } from '../../server/tests/helpers/composed-server.js';
import { allPages, followedStrategies, ownStrategies } from '../src/service/all-pages.js';

describe('a list of the service', () => {
  it.each([0, 1, 99, 100, 101, 250])('is read to its end: %i records', async (count) => {
    const rows = Array.from({ length: count }, (_, n) => ({ id: `id ${n}` }));
    const found = await allPages(
      async ({ limit, cursor }) => {
        const after = rows.findIndex(({ id }) => id === cursor) + 1;
        return rows.slice(after, after + limit);
      },
      ({ id }) => id,
    );
    expect(found).toEqual(rows);
  });
});

describe('what a reader follows', () => {
  let server: ComposedServer;
  let token: string;
  let followed: string;

  beforeAll(async () => {
    server = await composedServer({ environment: { CAPS: 'strategies=200' } });
    const owner = await server.user('owner');
    token = await server.user('reader');
    const make = async (by: string) =>
      (await server.ask('newStrategy', { type: 'stock', name: 'One' }, by)).strategy_id;
    followed = await make(owner);
    await server.ask('newStrategySubscription', { strategy_id: followed }, token);
    for (let n = 0; n < 101; n += 1) await make(token);
  });
  afterAll(() => server.close());

  it('is found behind a page of newer subscriptions, such as those of own strategies', async () => {
    const client = createClient({ url: server.url, token });
    const found = await followedStrategies(client, 'active');
    expect(found.map(({ strategy_id }) => strategy_id)).toEqual([followed]);
    expect(await followedStrategies(client, 'past_due')).toEqual([]);
  });

  it('is not all: there are those that the reader publishes, more than a page of them', async () => {
    expect(await ownStrategies(createClient({ url: server.url, token }))).toHaveLength(101);
  });
});
