import type { Broker, Log } from '@slipstream/ports';
import { SettingError } from '../settings/setting-error.js';
import type { ServerSettings } from '../settings/settings.js';
import { FUNCTIONS, type PortAdapters, brokersProblem, portProblem } from './adapter-shapes.js';
import { addedBrokerProblem } from './brokers.js';

/** Adapters of a host. The server closes every one that has a `close`, the storage last. */
export interface Adapters extends PortAdapters {
  /** Added to the brokers of this server; one with an existing name replaces that broker. */
  readonly addBrokers?: readonly Broker[];
}

/** The names of all adapters. */
export const ADAPTER_NAMES = [...Object.keys(FUNCTIONS), 'addBrokers'];

/** The default export of a module for `--with`: adapters, or a function that opens them. */
export type AdaptersModule =
  | Adapters
  | ((host: {
      readonly settings: ServerSettings;
      readonly log: Log;
    }) => Adapters | Promise<Adapters>);

async function close(adapter: unknown): Promise<void> {
  const { close: end } = (adapter ?? {}) as { readonly close?: unknown };
  if (typeof end === 'function') await end.call(adapter);
}

/** Closes the host's adapters; if one fails, the others are closed all the same. */
export async function closeAdapters({
  addBrokers = [],
  unitOfWork,
  ...others
}: Adapters): Promise<void> {
  const first = await Promise.allSettled([...addBrokers, ...Object.values(others)].map(close));
  if (unitOfWork) await close(unitOfWork);
  for (const closed of first) if (closed.status === 'rejected') throw closed.reason;
}

/** What is wrong with adapters of a module in plain JavaScript; undefined if nothing is. */
function problemOf(
  adapters: Adapters,
  settings: Pick<ServerSettings, 'MARKET'>,
): string | undefined {
  const { addBrokers = [], ...ports } = adapters;
  const unknown = Object.keys(adapters).find((name) => !ADAPTER_NAMES.includes(name));
  if (unknown !== undefined)
    return `"${unknown}" is no adapter; there are ${ADAPTER_NAMES.join(', ')}`;
  return (
    portProblem(ports) ??
    brokersProblem(addBrokers) ??
    addedBrokerProblem(settings, addBrokers, adapters.marketFeed !== undefined)
  );
}

/**
 * Throws `SettingError`, and closes them, when one has the name of no adapter: in its place the settings would choose one, another
 * storage for example. So it does when `addBrokers` are none, and when one of them would trade real money on simulated prices.
 */
export async function requireAdapters(
  adapters: Adapters,
  settings: Pick<ServerSettings, 'MARKET'>,
): Promise<void> {
  const problem = problemOf(adapters, settings);
  if (problem === undefined) return;
  const { addBrokers, ...others } = adapters;
  const given = Array.isArray(addBrokers) ? adapters : others;
  await closeAdapters(given).catch(() => undefined);
  throw new SettingError(problem);
}
