import { type Decimal, decimal, max, min, totalsOf } from '@slipstream/domain';
import { type CommandContext, acknowledge, requireExisting } from './context.js';
import { earningsOf } from '../invariants/money.js';
import type { InvoiceRow } from '../invariants/money.js';
import { nameOf, strategyAt, userIdOf } from '../world/places.js';
import type { MoneyCommand, Place } from '../story/story.js';
import { PASSWORD, type World } from '../world/world.js';

const NOBODY = {
  name: 'A name',
  city: '',
  country: '',
  lineOne: '',
  lineTwo: '',
  district: '',
  postal: '',
};

const at = <Row>(world: World, sql: string, place: Place): Row => {
  const rows = world.database.rows<Row>(sql);
  return requireExisting(rows[place % Math.max(1, rows.length)]);
};

/** The amount that can be withdrawn now: settled, and within the balance. */
function withdrawable(world: World, userId: string): Decimal {
  const { balance, settled } = totalsOf(earningsOf(world, userId), world.clock.now());
  return max(decimal('0'), min(balance, settled));
}

/** The gateway posts that a charge has changed. */
export async function noticeOf(
  { world, application }: CommandContext,
  chargeRef: string,
): Promise<void> {
  await application.requests.handlePaymentWebhook(chargeRef, {});
  world.payments.told(chargeRef);
}

/** Performs commands on prices, payment sources, invoices and withdrawals. */
export async function performMoney(context: CommandContext, command: MoneyCommand): Promise<void> {
  const { world, application } = context;
  switch (command.do) {
    case 'setPrice': {
      const strategy = requireExisting(strategyAt(world, command.strategy));
      const owner = await context.callerOf(nameOf(world, strategy.user_id));
      await application.operations.updateStrategy(owner, {
        strategyId: strategy.id,
        price: command.price,
      });
      return;
    }
    case 'newPaymentSource': {
      const { token } = command;
      const direction = token === 'test_bank' ? 'out' : 'in';
      const { source } = await application.operations.newPaymentSource(
        await context.callerOf(command.by),
        {
          token,
          direction,
          primary: true,
          ...(direction === 'out' && { password: PASSWORD }),
          details: NOBODY,
        },
      );
      const sql = 'SELECT id FROM payment_sources WHERE id = ?';
      return acknowledge(context, `payment source ${source.id} was added`, sql, source.id);
    }
    case 'retryInvoice': {
      const sql = "SELECT * FROM invoices WHERE status = 'failed' ORDER BY id";
      const invoice = at<InvoiceRow>(world, sql, command.invoice);
      const payer = await context.callerOf(nameOf(world, invoice.user_id));
      await application.operations.retryInvoice(payer, { invoiceId: invoice.id });
      return;
    }
    case 'newWithdrawal': {
      const { by, percent } = command;
      const most = withdrawable(world, userIdOf(world, by));
      const share = most.times(decimal(String(percent))).times(decimal('0.01'));
      const amount = share.round(2).plus(decimal('0.01'));
      const { id } = await application.operations.newWithdrawal(await context.callerOf(by), {
        amount,
        password: PASSWORD,
      });
      return acknowledge(
        context,
        `withdrawal ${id} was made`,
        'SELECT id FROM withdrawals WHERE id = ?',
        id,
      );
    }
    case 'deleteWithdrawal': {
      const sql = 'SELECT * FROM withdrawals ORDER BY id DESC';
      const found = at<{ id: string; user_id: string }>(world, sql, command.withdrawal);
      const owner = await context.callerOf(nameOf(world, found.user_id));
      await application.operations.deleteWithdrawal(owner, { withdrawalId: found.id });
      const gone = "SELECT id FROM withdrawals WHERE id = ? AND status = 'cancelled'";
      return acknowledge(context, `withdrawal ${found.id} was deleted`, gone, found.id);
    }
    case 'deletePaymentSource': {
      const sql = `SELECT id FROM payment_sources WHERE status <> 'deleted' AND user_id = '${userIdOf(world, command.by)}' ORDER BY id`;
      const { id: sourceId } = at<{ id: string }>(world, sql, command.source);
      await application.operations.deletePaymentSource(await context.callerOf(command.by), {
        sourceId,
      });
      const gone = "SELECT id FROM payment_sources WHERE id = ? AND status = 'deleted'";
      return acknowledge(context, `payment source ${sourceId} was deleted`, gone, sourceId);
    }
    case 'exclude': {
      const strategy = requireExisting(strategyAt(world, command.strategy));
      const owner = await context.callerOf(nameOf(world, strategy.user_id));
      const strategyId = strategy.id;
      await application.operations.updateStrategy(owner, { strategyId, private: true });
      const userId = userIdOf(world, command.user);
      await application.operations.deleteStrategySubscription(owner, { strategyId, userId });
      return;
    }
    case 'deleteUser': {
      const userId = userIdOf(world, command.by);
      const caller = await context.callerOf(command.by);
      // Their subscriptions end before the account, in a transaction of their own.
      context.memory.leaving.add(userId);
      await application.operations.deleteUser(caller, { password: PASSWORD });
      const gone = 'SELECT id FROM users WHERE id = ? AND deleted_at IS NOT NULL';
      return acknowledge(context, `user ${userId} was deleted`, gone, userId);
    }
    case 'refundElsewhere': {
      const { charge, percent } = command;
      // A charge that the service does not know of yet is found by its next check.
      const known = new Set(
        world.database
          .rows<{ charge_ref: string }>(
            'SELECT charge_ref FROM invoices WHERE charge_ref IS NOT NULL',
          )
          .map((invoice) => invoice.charge_ref),
      );
      const refunded = await world.payments.refundElsewhere(known, charge, percent);
      const chargeRef = requireExisting(refunded);
      if (command.isTold) await noticeOf(context, chargeRef);
      return;
    }
  }
}
