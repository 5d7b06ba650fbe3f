import { Refusal, type Timestamp } from '@slipstream/domain';
import type { Periods } from '../data/periods.js';
import type { ReplayOptions } from '../options.js';
import type { Instruments, Traded } from '../run/instruments.js';
import type { Command } from '../run/score.js';
import type { ReplayedService } from '../run/service.js';
import { type LoggedAlert, alertCommands, namesInAlerts, readAlerts } from './alerts.js';
import { type AllocationSet, allocationCommands, namesIn, readAllocations } from './allocations.js';
import { type ReplayModule, readModule } from './module.js';

/** The orders of a replay, as they were read. */
export type Orders =
  | { readonly kind: 'allocations'; readonly sets: readonly AllocationSet[] }
  | { readonly kind: 'alerts'; readonly alerts: readonly LoggedAlert[] }
  | { readonly kind: 'module'; readonly module: ReplayModule };

/** Reads them whole, before any price: a wrong line ends the replay at once. */
export async function readOrders(
  { kind, file }: ReplayOptions['orders'],
  periods: Periods,
): Promise<Orders> {
  switch (kind) {
    case 'allocations':
      return { kind, sets: await readAllocations(file, periods) };
    case 'alerts':
      return { kind, alerts: await readAlerts(file, periods) };
    case 'module':
      return { kind, module: await readModule(file) };
  }
}

/** The instruments that matter: a file of orders names them, a module may want all. */
export function neededSymbols(
  orders: Orders,
  all: Instruments,
  {
    symbols: given,
    benchmark,
    orders: { file },
  }: Pick<ReplayOptions, 'symbols' | 'benchmark' | 'orders'>,
): ReadonlySet<string> | undefined {
  const named =
    orders.kind === 'allocations'
      ? namesIn(orders.sets)
      : orders.kind === 'alerts'
        ? namesInAlerts(orders.alerts)
        : undefined;
  if (named?.length === 0)
    throw new Refusal('invalid_field', `${file}: no line of it names an instrument`);
  const names = given ?? named;
  const needed = benchmark === undefined ? names : names?.concat(benchmark);
  return needed && new Set(needed.map((name) => all.symbolOf(name)));
}

/** The orders of a file as commands; a module decides at each bar. What comes after the end of the data is not checked. */
export function commandsOf(
  orders: Orders,
  file: string,
  traded: Traded,
  service: ReplayedService,
  endsAt: Timestamp,
): Command[] {
  if (orders.kind === 'allocations')
    return allocationCommands(file, orders.sets, traded, service, endsAt);
  return orders.kind === 'alerts' ? alertCommands(file, orders.alerts, traded, service) : [];
}
