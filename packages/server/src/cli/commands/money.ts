import type { Request } from '@slipstream/client';
import type { ResponseOf } from '@slipstream/wire';
import type { Command } from 'commander';
import { type Columns, print } from '../output.js';
import { PASSWORD_HELP, askPassword, totpOption, withSecondFactor } from '../password.js';
import { type Environment, needing, remote } from '../remote.js';

type Source = ResponseOf<'getPaymentSources'>[number];
type Withdrawal = ResponseOf<'getWithdrawals'>['withdrawals'][number];

const sourceColumns: Columns<Source> = {
  SOURCE: (source) => source.source_id,
  DIRECTION: (source) => source.direction,
  PRIMARY: (source) => (source.primary ? 'yes' : null),
  DESCRIPTION: (source) => source.description,
  STATUS: (source) => source.status,
};
const invoiceColumns: Columns<ResponseOf<'getInvoices'>[number]> = {
  INVOICE: (invoice) => invoice.invoice_id,
  DESCRIPTION: (invoice) => invoice.description,
  USD: (invoice) => invoice.amount,
  REFUNDED: (invoice) => invoice.amount_refunded,
  STATUS: (invoice) => invoice.status,
  'CAN BE RETRIED': (invoice) => (invoice.retryable ? 'yes' : null),
};
const withdrawalColumns: Columns<Withdrawal> = {
  WITHDRAWAL: (withdrawal) => withdrawal.withdrawal_id,
  USD: (withdrawal) => withdrawal.amount,
  STATUS: (withdrawal) => withdrawal.status,
  WHY: (withdrawal) => withdrawal.reason,
  MADE: (withdrawal) => withdrawal.created_at,
};

/** Only the answer to its making says how a source is confirmed. */
const toConfirm = ({ url }: NonNullable<Source['next_action']>): string =>
  url === null
    ? 'Your bank wants you to confirm it.'
    : `Your bank wants you to confirm it, within a day: ${url}`;

interface SourceOptions {
  readonly out?: true;
  readonly primary?: true;
  readonly name: string;
  readonly city: string;
  readonly country: string;
  readonly line: string;
  readonly postal: string;
  readonly totp?: string;
}

/** The scope `*` of an api token does not include these. */
const named = (scope: string): string =>
  `\nThe token's scope must name ${scope}: sign-in <email> --scope '*,${scope}'`;

/** The commands for cards, invoices and payouts. */
export function money(program: Command, environment: Environment): void {
  const cards = program
    .command('cards')
    .description('your payment sources, for payments and payouts');
  const list = cards.command('list', { isDefault: true }).description('your payment sources');
  remote(list, environment, async ({ client, showAll }) => {
    showAll(await client.getPaymentSources(), sourceColumns, 'No payment sources.');
  });
  const add = cards
    .command('add')
    .description('add a payment source')
    .argument(
      '<token>',
      "the token from the payment gateway's form; test_card_paid if payments are simulated",
    )
    .option('--out', 'for payouts to you; needs your password')
    .option('--primary', 'use this source from now on')
    .requiredOption('--name <name>')
    .requiredOption('--city <city>')
    .requiredOption('--country <country>')
    .requiredOption('--line <street>', 'street and number')
    .requiredOption('--postal <code>')
    .addOption(totpOption())
    .addHelpText('after', PASSWORD_HELP + named('newPaymentSource'));
  remote(add, environment, async (to, token: string, given: SourceOptions) => {
    const { client, json, showOne } = to;
    const { out, primary, name, city, country, line, postal } = given;
    const request = {
      ...{ token, primary, name, city, country, line_one: line, postal },
      ...(out && { direction: 'out', password: await askPassword(environment) }),
    };
    const make = (totp: string | undefined) =>
      client.newPaymentSource({ ...request, totp } as Request<'newPaymentSource'>);
    const source = await needing('newPaymentSource', withSecondFactor(given.totp, make));
    showOne(source, sourceColumns);
    if (!json && source.next_action) print(toConfirm(source.next_action));
  });

  const invoices = program.command('invoices').description('your invoices');
  const charged = invoices.command('list', { isDefault: true }).description('your invoices');
  remote(charged, environment, async ({ client, showPage }) => {
    showPage('getInvoices', await client.getInvoices(), invoiceColumns, 'No invoices.', (last) => ({
      cursor: last.invoice_id,
    }));
  });
  const retry = invoices
    .command('retry')
    .description('retry a failed invoice')
    .argument('<invoice_id>');
  remote(retry, environment, async ({ client, showOne }, invoice_id: string) => {
    showOne(await client.retryInvoice({ invoice_id }), invoiceColumns);
  });

  const earnings = program.command('earnings').description('your earnings and their payouts');
  remote(earnings, environment, async ({ client, json, show, showOne, showPage }) => {
    const earned = await client.getWithdrawals();
    if (json) return show(earned);
    showOne(earned, {
      BALANCE: ({ balance }) => balance,
      'CAN BE PAID OUT': ({ settled_balance }) => settled_balance,
    });
    showPage(
      'getWithdrawals',
      earned.withdrawals,
      withdrawalColumns,
      'No withdrawals.',
      ({ withdrawal_id }) => ({ cursor: withdrawal_id }),
    );
  });
  const withdraw = program
    .command('withdraw')
    .description('withdraw earnings; needs your password')
    .argument('<usd>')
    .addOption(totpOption())
    .addHelpText('after', PASSWORD_HELP + named('newWithdrawal'));
  remote(
    withdraw,
    environment,
    async ({ client, showOne }, amount: string, given: { readonly totp?: string }) => {
      const request = { amount, password: await askPassword(environment) };
      const make = (totp: string | undefined) => client.newWithdrawal({ ...request, totp });
      const made = await needing('newWithdrawal', withSecondFactor(given.totp, make));
      showOne(made, withdrawalColumns);
    },
  );
}
