import { describe, expect, it } from '@jest/globals';
import { silentFeed } from '@slipstream/adapter-memory/testing';
import { BOT_STATUSES } from '@slipstream/domain';
import { aBot, aMail, aWithdrawal, anInvoice } from '@slipstream/port-contracts';
import type { Caller } from '../../src/index.js';
import { fixture } from '../fixture.js';

const operator: Caller = { kind: 'operator' };

describe('getOverview, for the operator (contract 17)', () => {
  it('is empty at first', async () => {
    const { app } = await fixture();
    expect(await app.getOverview(operator)).toEqual({
      users: 0,
      strategies: 0,
      bots: Object.fromEntries(BOT_STATUSES.map((status) => [status, 0])),
      failedMails: 0,
      failedPayments: 0,
      failures: { mails: [], invoices: [], withdrawals: [] },
      feeds: [],
      diskFree: null,
      halts: [],
    });
  });

  it('counts what exists, by status what bots are, and what failed', async () => {
    const { app, ports, user, strategy } = await fixture();
    const owner = await user('owner');
    await user('follower');
    await strategy(owner);
    const strategyId = await strategy(owner);
    await app.deleteStrategy(owner, { strategyId });
    await ports.unitOfWork.run(async ({ bots, mails, invoices, withdrawals }) => {
      await mails.save(aMail({ failure: 'no such box' }));
      await invoices.save(anInvoice({ state: { kind: 'failed', reason: 'no funds' } }));
      await withdrawals.save(aWithdrawal({ status: 'failed' }));
      await bots.save(aBot({ status: 'running' }));
    });
    expect(await app.getOverview(operator)).toMatchObject({
      users: 2,
      strategies: 1,
      bots: { off: 0, running: 1 },
      failedMails: 1,
      failedPayments: 2,
      failures: {
        mails: [{ id: aMail().id }],
        invoices: [{ id: anInvoice().id }],
        withdrawals: [{ id: aWithdrawal().id }],
      },
    });
    await ports.unitOfWork.run(({ bots }) => bots.remove(aBot().id));
    expect(await app.getOverview(operator)).toMatchObject({ bots: { running: 0 } });
  });

  it('shows sources, the space of the disk, and the halts of everybody, newest first', async () => {
    let free: number | undefined = 5_000;
    const health = () => [
      { name: 'kraken', age: 12, healthy: true, reconnects: 3, drops: { spread: 1 } },
    ];
    const { app, ports, user } = await fixture({
      marketFeed: { ...silentFeed(), health },
      disk: { free: () => free },
    });
    const owner = await user('owner');
    const mine = await app.haltTrading(owner, { scope: 'user', reason: 'mine' });
    ports.clock.advance(1);
    const all = await app.haltTrading(operator, { scope: 'all', reason: 'everything' });
    expect(await app.getOverview(operator)).toMatchObject({
      feeds: [{ name: 'kraken', age: 12, healthy: true }],
      diskFree: 5_000,
      halts: [all, mine],
    });
    free = undefined;
    await app.resumeTrading(operator, { haltId: all.id });
    expect(await app.getOverview(operator)).toMatchObject({ diskFree: null, halts: [mine] });
  });
});
