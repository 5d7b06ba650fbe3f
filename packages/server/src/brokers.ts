import { simulatedBroker } from '@slipstream/adapter-broker-simulated';
import type { LiveState } from '@slipstream/application';
import type { Broker, Brokers, Clock, Ids, UnitOfWork } from '@slipstream/ports';
import { z } from 'zod';
import { standInUrl } from './settings/stand-in-url.js';

const NAMES = ['simulated', 'alpaca_paper', 'alpaca'] as const;
type BrokerName = (typeof NAMES)[number];
const NAMED = `must be names out of ${NAMES.join(', ')}, separated by commas`;

/** These trade real money. */
const WITH_REAL_MONEY: readonly BrokerName[] = ['alpaca'];

const onThisMachine = z
  .string()
  .refine(
    (text) => standInUrl(text) !== undefined,
    'must be like http://127.0.0.1:12112, on this machine',
  )
  .optional();

/** The settings of the brokers. */
export const brokerSettings = {
  BROKERS: z
    .string()
    .transform((text) => text.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(NAMES, NAMED)))
    .transform((names) => [...new Set(names)])
    .default(['simulated']),
  LIVE_TRADING: z.enum(['off', 'on'], 'must be off or on').default('off'),
  ALPACA_PAPER_URL: onThisMachine,
  ALPACA_LIVE_URL: onThisMachine,
};

export interface BrokerSettings {
  readonly BROKERS: readonly BrokerName[];
  readonly LIVE_TRADING: 'off' | 'on';
  readonly ALPACA_PAPER_URL?: string | undefined;
  readonly ALPACA_LIVE_URL?: string | undefined;
}

/** The problem with their combination; undefined if there is none. */
export function brokerProblem(settings: BrokerSettings): string | undefined {
  const { BROKERS: names, LIVE_TRADING, ALPACA_PAPER_URL, ALPACA_LIVE_URL } = settings;
  const live = names.filter((name) => WITH_REAL_MONEY.includes(name));
  if (live.length > 0 && LIVE_TRADING === 'off')
    return `BROKERS names ${live.join(', ')}, which trades real money: that needs LIVE_TRADING=on`;
  if (ALPACA_PAPER_URL !== undefined && !names.includes('alpaca_paper'))
    return 'ALPACA_PAPER_URL needs alpaca_paper in BROKERS';
  if (ALPACA_LIVE_URL !== undefined && !names.includes('alpaca'))
    return 'ALPACA_LIVE_URL needs alpaca in BROKERS';
  return undefined;
}

/** An address as adapters take it, without the slash at its end. */
const origin = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : standInUrl(text)?.origin;

export interface BrokerParts {
  readonly unitOfWork: UnitOfWork;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly live: LiveState;
}

type MakeBroker = (parts: BrokerParts) => Broker;

const simulated: MakeBroker = ({ unitOfWork, ids, clock, live }) =>
  simulatedBroker({ unitOfWork, ids, market: () => live.market(clock.now()) });

/** Alpaca's SDK takes 60 ms and 12 MB: only a server that names one of its brokers loads it. */
async function loadMaker(settings: BrokerSettings, name: BrokerName): Promise<MakeBroker> {
  if (name === 'simulated') return simulated;
  const { LIVE, PAPER, alpacaBroker } = await import('@slipstream/adapter-broker-alpaca');
  const [kind, url] =
    name === 'alpaca'
      ? [LIVE, origin(settings.ALPACA_LIVE_URL)]
      : [PAPER, origin(settings.ALPACA_PAPER_URL)];
  return ({ clock, live }) => alpacaBroker(kind, { clock, instruments: live.stocks, url });
}

/** Loads the brokers of the settings, and answers how to make all of this server's, by their names. */
export async function loadBrokers(
  settings: BrokerSettings,
  added: readonly Broker[],
): Promise<(parts: BrokerParts) => Brokers> {
  const makers = await Promise.all(settings.BROKERS.map((name) => loadMaker(settings, name)));
  return (parts) =>
    new Map(
      [...makers.map((make) => make(parts)), ...added].map((broker) => [broker.name, broker]),
    );
}
