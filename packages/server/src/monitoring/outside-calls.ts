import {
  type AnnouncedActions,
  BROKER_REQUESTS,
  BrokerRateLimited,
  BrokerRefused,
  type Brokers,
  ChargeUnknown,
  MailRefused,
  type Mailer,
  type MarketCalendar,
  type PaymentGateway,
  PaymentSourceRefused,
  type TimestampAuthority,
  requestsThrough,
} from '@slipstream/ports';
import { Histogram } from 'prom-client';

/** What came of a request: `unreachable` is every error that is no answer. */
type CallResult = 'answered' | 'refused' | 'limited' | 'unreachable';

function resultOf(error: unknown): CallResult {
  if (error instanceof BrokerRateLimited) return 'limited';
  const refusals = [BrokerRefused, ChargeUnknown, MailRefused, PaymentSourceRefused];
  return refusals.some((kind) => error instanceof kind) ? 'refused' : 'unreachable';
}

const timesOf = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
  new Histogram({
    ...{ name: `slipstream_${name}_request_seconds`, help, labelNames },
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [],
  });

/** How long those outside took to answer. They belong to no registry yet, because adapters are made before the metrics. */
export const outsideCalls = () => ({
  brokers: timesOf('broker', 'Time of requests to a broker, by broker, request and result', [
    'broker',
    'request',
    'result',
  ]),
  others: timesOf('outside', 'Time of requests to others, by party, request and result', [
    'party',
    'request',
    'result',
  ]),
});
export type OutsideCalls = ReturnType<typeof outsideCalls>;

/** The brokers, whose requests are timed. */
export const timedBrokers = (brokers: Brokers, { brokers: times }: OutsideCalls): Brokers =>
  new Map(
    [...brokers].map(([name, broker]) => [
      name,
      timed(broker, BROKER_REQUESTS, (call, seconds) =>
        times.observe({ broker: broker.name, ...call }, seconds),
      ),
    ]),
  );

/** What is asked of those outside who are no broker. */
const REQUESTS = {
  mail: ['send'],
  payments: ['link', 'confirmation', 'unlink', 'charge', 'refund', 'standing', 'payOut'],
  corporate_actions: ['between'],
  calendar: ['between'],
  time_stamps: ['stamp'],
} as const satisfies {
  readonly mail: readonly (keyof Mailer)[];
  readonly payments: readonly (keyof PaymentGateway)[];
  readonly corporate_actions: readonly (keyof AnnouncedActions)[];
  readonly calendar: readonly (keyof MarketCalendar)[];
  readonly time_stamps: readonly (keyof TimestampAuthority)[];
};

/** What talks to somebody outside, whose requests are timed; absent where there is nobody. */
export const timedParty = <Port extends object | undefined>(
  party: keyof typeof REQUESTS,
  port: Port,
  { others }: OutsideCalls,
): Port =>
  port &&
  timed(port, REQUESTS[party], (call, seconds) => others.observe({ party, ...call }, seconds));

interface Call {
  readonly request: string;
  readonly result: CallResult;
}

const timed = <Port extends object>(
  port: Port,
  requests: readonly string[],
  observe: (call: Call, seconds: number) => void,
): Port =>
  requestsThrough(port, requests, async (request, ask) => {
    const began = performance.now();
    const ended = (result: CallResult): void =>
      observe({ request, result }, (performance.now() - began) / 1000);
    try {
      const answer = await ask();
      ended('answered');
      return answer;
    } catch (error) {
      ended(resultOf(error));
      throw error;
    }
  });
