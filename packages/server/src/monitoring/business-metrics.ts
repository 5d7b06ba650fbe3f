import {
  ALERT_VERDICTS,
  BOT_ORDER_STATUSES,
  BOT_STATUSES,
  type ServiceCounts,
} from '@slipstream/domain';
import type { Event } from '@slipstream/ports';
import { Counter, Gauge, type Registry } from 'prom-client';

/** What may become of an order of a strategy. */
const ORDER_STATES = ['opened', 'filled', 'cancelled', 'rejected'] as const;
const isOrderState = (kind: string): kind is (typeof ORDER_STATES)[number] =>
  (ORDER_STATES as readonly string[]).includes(kind);

/** Metrics of what the service does for its users. Returns what takes its events. */
export function businessMetrics(
  registry: Registry,
  counts: () => Promise<ServiceCounts>,
): (event: Event) => void {
  const counter = <Label extends string>(
    name: string,
    help: string,
    label: Label,
    values: readonly string[],
  ): ((value: string) => void) => {
    const made = new Counter({
      ...{ name: `slipstream_${name}_total`, help, labelNames: [label] },
      registers: [registry],
    });
    for (const value of values) made.labels(value).inc(0);
    return (value) => made.labels(value).inc();
  };
  const alert = counter(
    'alerts',
    'Alerts since the start by verdict; one that is superseded later counts twice',
    'verdict',
    ALERT_VERDICTS,
  );
  const order = counter(
    'orders',
    'Orders of strategies since the start, by what became of them',
    'state',
    ORDER_STATES,
  );
  const botOrder = counter(
    'bot_orders',
    'Changes of orders of bots since the start, by the status after it',
    'status',
    BOT_ORDER_STATUSES,
  );

  let latest: Promise<ServiceCounts> | undefined;
  /** The gauges of one reading share one look at the storage. */
  const read = (): Promise<ServiceCounts> =>
    (latest ??= counts().finally(() => {
      latest = undefined;
    }));
  const stored = (name: string, help: string, of: (all: ServiceCounts) => number): void => {
    new Gauge({
      name: `slipstream_${name}`,
      help,
      registers: [registry],
      async collect() {
        this.set(of(await read()));
      },
    });
  };
  stored('users', 'Users that are not deleted', ({ users }) => users);
  stored('strategies', 'Strategies that are not deleted', ({ strategies }) => strategies);
  stored('failed_mails', 'Mails that are not tried again', ({ failedMails }) => failedMails);
  stored(
    'failed_payments',
    'Invoices and withdrawals that failed',
    ({ failedPayments }) => failedPayments,
  );
  new Gauge({
    name: 'slipstream_bots',
    help: 'Bots, by status',
    labelNames: ['status'],
    registers: [registry],
    async collect() {
      const { bots } = await read();
      for (const status of BOT_STATUSES) this.set({ status }, bots[status]);
    },
  });

  return (event) => {
    if (event.kind === 'alert_added') alert(event.alert.verdict);
    else if (event.kind === 'alert_changed' && event.alert.verdict === 'superseded')
      alert('superseded');
    else if (event.kind === 'bot_order_changed') botOrder(event.order.status);
    else if (event.kind === 'book_changed')
      for (const { kind } of event.changes) if (isOrderState(kind)) order(kind);
  };
}
