import { describe, expect, it } from '../testing.js';
import {
  BOT_STATUSES,
  type BotStatus,
  type InvoiceState,
  type ServiceCounts,
  decimal,
  id,
} from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import { NOON, aBot, aMail, aStrategy, aUser, aWithdrawal, anInvoice } from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach, idsOf } from './storage.js';

const NO_BOTS = Object.fromEntries(BOT_STATUSES.map((status) => [status, 0]));
const NOTHING = { users: 0, strategies: 0, bots: NO_BOTS, failedMails: 0, failedPayments: 0 };

const due: InvoiceState = { kind: 'due', dueAt: NOON };
const retrying: InvoiceState = { kind: 'retrying', reason: 'no funds', dueAt: NOON };
const failed: InvoiceState = { kind: 'failed', reason: 'no funds' };
const paid: InvoiceState = {
  kind: 'paid',
  chargeRef: 'charge',
  refunded: decimal('0'),
  checkAt: null,
};

type Change = (stores: Stores) => Promise<unknown>;
const botIn =
  (status: BotStatus, name = 'bot-1'): Change =>
  ({ bots }) =>
    bots.save(aBot({ id: id(name), status }));
const invoiceIn =
  (state: InvoiceState): Change =>
  ({ invoices }) =>
    invoices.save(anInvoice({ state }));

export const countsContract = (open: OpenStorage): void => {
  describe('counts', () => {
    const unitOfWork = emptyBeforeEach(open);
    const counted = () => unitOfWork.read(({ counts }) => counts.all());

    /** The counts after each change, of those that are not zero: the same in the transaction and after it. */
    const after = async (...changes: readonly Change[]) => {
      const inside = await unitOfWork.run(async (stores) => {
        const seen: ServiceCounts[] = [];
        for (const change of changes) {
          await change(stores);
          seen.push(await stores.counts.all());
        }
        return seen;
      });
      expect(await counted()).toEqual(inside.at(-1));
      return inside.map(({ bots, ...others }) => {
        const all = Object.entries({ ...others, ...bots });
        return Object.fromEntries(all.filter(([, count]) => count !== 0));
      });
    };

    it('are zero at first, with every status of bots', async () => {
      expect(await counted()).toEqual(NOTHING);
    });

    it('are of the users that exist, each once', async () => {
      expect(
        await after(
          ({ users }) => users.save(aUser({ id: id('a') })),
          ({ users }) => users.save(aUser({ id: id('a'), commission: 5 })),
          ({ users }) => users.save(aUser({ id: id('b') })),
          ({ users }) => users.save(aUser({ id: id('a'), deletedAt: NOON })),
          ({ users }) => users.save(aUser({ id: id('c'), deletedAt: NOON })),
        ),
      ).toEqual([{ users: 1 }, { users: 1 }, { users: 2 }, { users: 1 }, { users: 1 }]);
    });

    it('are of the strategies that exist, private and ended ones too', async () => {
      expect(
        await after(
          ({ strategies }) => strategies.save(aStrategy({ id: id('a'), private: true })),
          ({ strategies }) => strategies.save(aStrategy({ id: id('b'), endedAt: NOON })),
          ({ strategies }) => strategies.save(aStrategy({ id: id('a'), name: 'Other' })),
          ({ strategies }) => strategies.save(aStrategy({ id: id('a'), deletedAt: NOON })),
        ),
      ).toEqual([{ strategies: 1 }, { strategies: 2 }, { strategies: 2 }, { strategies: 1 }]);
    });

    it('are of bots by their status, in each and from each to every other', async () => {
      const round = BOT_STATUSES.flatMap((from) => BOT_STATUSES.flatMap((to) => [from, to]));
      expect(await after(botIn('off', 'other'), ...round.map((status) => botIn(status)))).toEqual([
        { off: 1 },
        ...round.map((status) => (status === 'off' ? { off: 2 } : { off: 1, [status]: 1 })),
      ]);
      expect(
        await after(
          ({ bots }) => bots.remove(id('bot-1')),
          ({ bots }) => bots.remove(id('other')),
          ({ bots }) => bots.remove(id('other')),
        ),
      ).toEqual([{ off: 1 }, {}, {}]);
    });

    it('are of mails that are not tried again, until they are removed', async () => {
      expect(
        await after(
          ({ mails }) => mails.save(aMail()),
          ({ mails }) => mails.save(aMail({ attempts: 3 })),
          ({ mails }) => mails.save(aMail({ failure: 'no such box' })),
          ({ mails }) => mails.save(aMail({ failure: 'no such box', attempts: 4 })),
          ({ mails }) => mails.remove(id('mail-1')),
          ({ mails }) => mails.save(aMail({ id: id('b'), failure: 'too long' })),
        ),
      ).toEqual([{}, {}, { failedMails: 1 }, { failedMails: 1 }, {}, { failedMails: 1 }]);
    });

    it('are of charges and payouts that have failed, until they succeed', async () => {
      expect(
        await after(
          invoiceIn(due),
          invoiceIn(retrying),
          invoiceIn(failed),
          ({ withdrawals }) => withdrawals.save(aWithdrawal({ status: 'processing' })),
          ({ withdrawals }) => withdrawals.save(aWithdrawal({ status: 'failed' })),
          invoiceIn(paid),
        ),
      ).toEqual([
        {},
        { failedPayments: 1 },
        { failedPayments: 1 },
        { failedPayments: 1 },
        { failedPayments: 2 },
        { failedPayments: 1 },
      ]);
    });

    it('have the newest of what failed beside them, and nothing else', async () => {
      const at = (name: string, createdAt: number) => ({ id: id<never>(name), createdAt });
      const failure = 'no such box';
      await unitOfWork.run(async ({ mails, invoices, withdrawals }) => {
        await mails.save(aMail({ ...at('m1', NOON), failure }));
        await mails.save(aMail({ ...at('m2', NOON + 1), failure }));
        await mails.save(aMail({ ...at('m3', NOON + 1), failure }));
        await mails.save(aMail(at('m4', NOON + 9)));
        await invoices.save(anInvoice({ ...at('i1', NOON), state: failed }));
        await invoices.save(anInvoice({ ...at('i2', NOON + 1), state: retrying }));
        await invoices.save(anInvoice({ ...at('i3', NOON + 2), state: paid }));
        await withdrawals.save(aWithdrawal({ ...at('w1', NOON), status: 'failed' }));
        await withdrawals.save(aWithdrawal({ ...at('w2', NOON + 1), status: 'failed' }));
        await withdrawals.save(aWithdrawal({ ...at('w3', NOON + 2), status: 'paid' }));
      });
      const found = await unitOfWork.read(({ counts }) => counts.failures(2));
      expect(Object.values(found).map(idsOf)).toEqual([
        ['m3', 'm2'],
        ['i2', 'i1'],
        ['w2', 'w1'],
      ]);
    });

    it('forget a transaction that throws', async () => {
      const failing = unitOfWork.run(async (stores) => {
        await stores.users.save(aUser());
        await botIn('running')(stores);
        throw new Error('given up');
      });
      await expect(failing).rejects.toThrow('given up');
      expect(await counted()).toEqual(NOTHING);
    });
  });
};
