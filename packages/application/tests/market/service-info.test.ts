import { describe, expect, it } from '@jest/globals';
import { silentFeed } from '@slipstream/adapter-memory/testing';
import type { FillMarket } from '@slipstream/domain';
import { type Caller, DEFAULT_SETTINGS } from '../../src/index.js';
import { fixture } from '../fixture.js';

const anonymous: Caller = { kind: 'anonymous' };

describe('getServiceInfo, for anybody', () => {
  it.each<[FillMarket, string, RegExp]>([
    ['demo', 'simulated', /on simulated prices/],
    ['push', 'supplied', /that the operator of this service supplies/],
    ['live', 'hypothetical', /on prices of real markets/],
    ['unknown', 'simulated', /on simulated prices/],
  ])(
    'names the basis of market %s, and discloses what its figures are',
    async (market, basis, words) => {
      const { app } = await fixture({}, { ...DEFAULT_SETTINGS, market });
      const info = await app.getServiceInfo(anonymous);
      expect(info).toMatchObject({ name: 'Slipstream', basis, halted: false });
      expect(info.disclosure).toMatch(words);
      expect(info.disclosure).toMatch(/hypothetical results.*no guarantee of future results\.$/);
    },
  );

  it('adds the text of the operator', async () => {
    const { app } = await fixture({}, { ...DEFAULT_SETTINGS, disclosure: 'Not advice.' });
    expect((await app.getServiceInfo(anonymous)).disclosure).toMatch(/results\. Not advice\.$/);
  });

  it('shows its sources of quotes, its sign-up and its version', async () => {
    const health = () => [
      { name: 'kraken', age: 12, healthy: true, reconnects: 3, drops: {} },
      { name: 'coinbase', age: null, healthy: false, reconnects: 0, drops: {} },
    ];
    const settings = { ...DEFAULT_SETTINGS, signup: 'closed', version: '1.0' } as const;
    const { app } = await fixture({ marketFeed: { ...silentFeed(), health } }, settings);
    expect(await app.getServiceInfo(anonymous)).toMatchObject({
      version: '1.0',
      signup: 'closed',
      feeds: [
        { name: 'kraken', age: 12, healthy: true },
        { name: 'coinbase', age: null, healthy: false },
      ],
    });
  });

  it('tells when all trading is halted, and only then', async () => {
    const { app, user } = await fixture();
    await app.haltTrading(await user('owner'), { scope: 'user', reason: 'mine' });
    expect((await app.getServiceInfo(anonymous)).halted).toBe(false);
    await app.haltTrading({ kind: 'operator' }, { scope: 'all', reason: 'everything' });
    expect((await app.getServiceInfo(anonymous)).halted).toBe(true);
  });
});
