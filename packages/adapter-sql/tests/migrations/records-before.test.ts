import { describe, expect, it } from '@jest/globals';
import { MONEY, decimal, id } from '@slipstream/domain';
import {
  aBot,
  aMail,
  aStrategy,
  aUser,
  aWithdrawal,
  anAlertRecord,
  anInvoice,
} from '@slipstream/port-contracts';
import { openSqlite } from '../../src/index.js';
import { migrations } from '../../src/migrations/index.js';
import { temporaryPaths } from '../storage/temporary-folder.js';
import { openHandle } from '../../src/storage/connection.js';
import { databaseBefore } from './database-before.js';

const nextPath = temporaryPaths();

const CREATED = 1_700_000_000_000;

/** A strategy and a fill, from before fills named their source. */
const fillWithoutSource = `
    INSERT INTO strategies (id, product_id, user_id, type, private, name, description, categories, price, invited_user_ids,
      created_at, updated_at, below_zero_for)
    VALUES ('old', 'p', 'u', 'stock', 0, 'Old', '', '[]', 0, '[]', ${CREATED}, ${CREATED}, 0);
    INSERT INTO trades (id, order_id, strategy_id, stock_id, action, price, amount, total, fee_total, rounding, strategy_value,
      created_at)
    VALUES ('t', 'o', 'old', 's', 'buy', '100', '0.001', '0.1', '0', '0', '1', ${CREATED + 1});
    INSERT INTO track_entries (strategy_id, seq, kind, at, body, previous_hash, hash)
    VALUES ('old', 1, 'trade', ${CREATED + 1}, '{"trade_id":"t"}', '${'0'.repeat(64)}', 'h');
  `;

describe('a database from before fills named their source', () => {
  it('opens with everything: its record is one segment of unknown prices', async () => {
    const storage = await openSqlite({
      path: databaseBefore(nextPath(), '0036-sources-of-fills', fillWithoutSource),
    });
    try {
      const found = await storage.read(async (stores) => ({
        strategy: await stores.strategies.find(id('old')),
        trades: await stores.trades.ledger(id('old')),
        entries: await stores.track.listAfter(id('old'), 0, 10),
        opening: await stores.strategies.segmentsOpening(),
        run: await stores.marketRuns.last(),
      }));
      expect(found.strategy).toMatchObject({
        segments: [
          {
            kind: 'unknown',
            reason: 'created',
            startedAt: CREATED,
            startValue: decimal('1'),
            jump: null,
            end: null,
          },
        ],
        segmentOpening: null,
      });
      expect(found.trades).toMatchObject([
        {
          id: 't',
          price: decimal('100'),
          market: 'unknown',
          provider: null,
          quoteBid: null,
          quoteAsk: null,
          quoteAt: null,
        },
      ]);
      expect(found.entries).toMatchObject([{ seq: 1, body: '{"trade_id":"t"}', hash: 'h' }]);
      expect([found.opening, found.run]).toEqual([[], undefined]);
    } finally {
      await storage.close();
    }
  });
});

describe('a database from before counts were kept', () => {
  it('has the counts of all that it stores', async () => {
    const path = nextPath();
    const fill = await openSqlite({ path });
    await fill.run(async ({ users, strategies, bots, mails, invoices, withdrawals }) => {
      await users.save(aUser());
      await users.save(aUser({ id: id('gone'), email: 'gone@example.com', deletedAt: CREATED }));
      for (const name of ['a', 'b', 'c']) await strategies.save(aStrategy({ id: id(name) }));
      await strategies.save(aStrategy({ id: id('c'), deletedAt: CREATED }));
      await bots.save(aBot());
      await bots.save(aBot({ id: id('other'), status: 'error' }));
      await mails.save(aMail({ failure: 'no such box' }));
      await mails.save(aMail({ id: id('queued') }));
      await invoices.save(anInvoice({ state: { kind: 'failed', reason: null } }));
      await withdrawals.save(aWithdrawal({ status: 'failed' }));
    });
    const kept = await fill.read(({ counts }) => counts.all());
    await fill.close();
    const handle = openHandle(path);
    const triggers = handle
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'counts_%'")
      .pluck()
      .all() as string[];
    expect(triggers).toHaveLength(14);
    for (const name of triggers) handle.exec(`DROP TRIGGER ${name}`);
    handle.exec(`DROP TABLE counts; ${migrations['0049-counts'] ?? ''}`);
    handle.close();
    const storage = await openSqlite({ path });
    expect(await storage.read(({ counts }) => counts.all())).toEqual(kept);
    expect(kept).toMatchObject({
      users: 1,
      strategies: 2,
      bots: { off: 1, error: 1 },
      failedMails: 1,
      failedPayments: 2,
    });
    await storage.close();
  });
});

describe('a database from before alerts had their octets', () => {
  it('counts what its alerts hold as before', async () => {
    const path = databaseBefore(
      nextPath(),
      '0067-octets-of-alerts',
      `INSERT INTO alerts (id, user_id, token_id, verdict, body, created_at)
       VALUES ('old', 'user-1', 't', 'refused', 'éé', ${CREATED}), ('other', 'user-1', 't', 'refused', NULL, ${CREATED})`,
    );
    const storage = await openSqlite({ path });
    const userId = id<'user'>('user-1');
    const stored = () => storage.read(({ users }) => users.stored(userId));
    try {
      expect(await stored()).toBe(1_028 + 1_024);
      await storage.run(async ({ alerts }) => {
        await alerts.add(anAlertRecord({ id: id('new'), userId, body: 'éé' }));
        const old = await alerts.find(id('old'));
        if (old) await alerts.save({ ...old, reason: 'known' });
      });
      expect(await stored()).toBe(1_028 + 1_024 + 1_028);
      await storage.run(({ alerts }) => alerts.remove([id('old'), id('other'), id('new')]));
      expect(await stored()).toBe(0);
    } finally {
      await storage.close();
    }
  });
});

describe('a database from before earnings named their money', () => {
  const sale = (user: string, invoice: string, chargeRef: string) => `
    INSERT INTO invoices (id, user_id, subscription_id, strategy_id, description, status, amount, amount_refunded, refund_owed,
      source_id, retryable, month, tries, asked, charge_ref, created_at, updated_at)
    VALUES ('${invoice}', 'payer', 's', 'st', 'A month', 'paid', 1500, 0, 0, 'card', 0, 1, 1, 0, '${chargeRef}', ${CREATED}, ${CREATED});
    INSERT INTO earnings (id, user_id, kind, invoice_id, amount, commission, settles_at, created_at)
    VALUES ('of-${invoice}', '${user}', 'sale', '${invoice}', 1200, 300, ${CREATED}, ${CREATED});`;
  const withdrawn = (user: string) => `
    INSERT INTO withdrawals (id, user_id, amount, status, created_at, updated_at)
    VALUES ('w-${user}', '${user}', 500, 'paid', ${CREATED}, ${CREATED});
    INSERT INTO earnings (id, user_id, kind, withdrawal_id, amount, commission, settles_at, created_at)
    VALUES ('r-${user}', '${user}', 'withdrawal', 'w-${user}', -500, 0, ${CREATED}, ${CREATED});`;

  it('has a withdrawal to a simulated account apart, whatever its owner earned since', async () => {
    const rows = ['simulated:test_bank', '{"account":"acct_1"}'].map(
      (ref, place) => `${sale(`user-${place}`, `i-${place}`, 'simulated-charge:{}')}
        ${sale(`user-${place}`, `live-${place}`, 'pi_1')} ${withdrawn(`user-${place}`)}
        INSERT INTO payment_sources (id, user_id, type, direction, "primary", description, status, gateway_ref, created_at, updated_at)
        VALUES ('s-${place}', 'user-${place}', 'a', 'out', 1, '', 'active', '${ref}', ${CREATED}, ${CREATED});
        UPDATE withdrawals SET source_id = 's-${place}' WHERE user_id = 'user-${place}';`,
    );
    const storage = await openSqlite({
      path: databaseBefore(nextPath(), '0077-money-of-earnings', rows.join('')),
    });
    const liveOf = (place: number) =>
      storage.read(async ({ earnings }) =>
        (await earnings.totals(id(`user-${place}`), 'live', CREATED)).balance.toFixed(),
      );
    try {
      expect(await Promise.all([0, 1].map(liveOf))).toEqual(['12', '7']);
    } finally {
      await storage.close();
    }
  });

  it('has what was earned and withdrawn in simulated payments apart', async () => {
    const rows = [
      sale('played', 'i1', 'simulated-charge:{}') + withdrawn('played'),
      sale('played', 'i2', 'simulated-disputed-charge:{}'),
      sale('paid', 'i3', 'pi_1') + withdrawn('paid'),
      sale('both', 'i4', 'pi_2') + withdrawn('both') + sale('both', 'i5', 'simulated-charge:{}'),
    ].join('');
    const storage = await openSqlite({
      path: databaseBefore(nextPath(), '0077-money-of-earnings', rows),
    });
    const balances = (user: string) =>
      storage.read(async ({ earnings }) =>
        Promise.all(
          MONEY.map(async (money) =>
            (await earnings.totals(id(user), money, CREATED)).balance.toFixed(),
          ),
        ),
      );
    try {
      expect(await balances('played')).toEqual(['19', '0', '0']);
      expect(await balances('paid')).toEqual(['0', '0', '7']);
      expect(await balances('both')).toEqual(['12', '0', '7']);
      const { money } =
        (await storage.read(({ withdrawals }) => withdrawals.find(id('w-played')))) ?? {};
      expect(money).toBe('simulated');
    } finally {
      await storage.close();
    }
  });
});
