import type { ResponseOf } from '@slipstream/wire';
import { dollars, moment } from '../../figures/format.js';
import { More } from '../common/more.js';
import { Panel } from '../common/panel.js';
import { type Column, Table } from '../common/table.js';

type Overview = ResponseOf<'getOverview'>;
type Mail = Overview['latest_failed_mails'][number];
type Payment = Overview['latest_failed_payments'][number];

const MAILS: readonly Column<Mail>[] = [
  { name: 'Time', what: 'time', class: 'small', cell: (mail) => moment(mail.created_at) },
  { name: 'Subject', what: 'subject', cell: (mail) => mail.subject },
  { name: 'User', what: 'user_id', class: 'small', isWide: true, cell: (mail) => mail.user_id },
  {
    name: 'Attempts',
    what: 'attempts',
    isNumber: true,
    isWide: true,
    cell: (mail) => mail.attempts,
  },
  { name: 'Reason', what: 'reason', class: 'small', cell: (mail) => mail.reason },
];

const PAYMENTS: readonly Column<Payment>[] = [
  { name: 'Time', what: 'time', class: 'small', cell: (payment) => moment(payment.created_at) },
  { name: 'Kind', what: 'payment_kind', cell: (payment) => payment.kind },
  {
    name: 'Amount',
    what: 'payment_amount',
    isNumber: true,
    cell: (payment) => dollars(payment.amount),
  },
  {
    name: 'User',
    what: 'user_id',
    class: 'small',
    isWide: true,
    cell: (payment) => payment.user_id,
  },
  {
    name: 'Reason',
    what: 'reason',
    class: 'small',
    cell: (payment) => payment.reason ?? 'not given',
  },
];

/** The newest mails and payments that failed. */
export function FailuresPanel({ overview }: { readonly overview: Overview }) {
  return (
    <div class="columns">
      <Panel title="Failed mails">
        <Table
          label="Failed mails"
          columns={MAILS}
          rows={overview.latest_failed_mails}
          keyOf={({ mail_id }) => mail_id}
          record={(mail) => ({ ...mail })}
          empty="None in the last 30 days."
        />
        <More
          is={overview.failed_mails > overview.latest_failed_mails.length}
          said={`The latest ${overview.latest_failed_mails.length} of ${overview.failed_mails}.`}
        />
      </Panel>
      <Panel title="Failed payments">
        <Table
          label="Failed payments"
          columns={PAYMENTS}
          rows={overview.latest_failed_payments}
          keyOf={({ id }) => id}
          record={(payment) => ({ ...payment })}
          empty="None."
        />
        <More
          is={overview.failed_payments > overview.latest_failed_payments.length}
          said={`The latest ${overview.latest_failed_payments.length} of ${overview.failed_payments}.`}
        />
      </Panel>
    </div>
  );
}
