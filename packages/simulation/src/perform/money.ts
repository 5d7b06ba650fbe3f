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
  }
}
