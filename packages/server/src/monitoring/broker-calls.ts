import {
  BROKER_REQUESTS,
  type Broker,
  BrokerRateLimited,
  BrokerRefused,
  type Brokers,
} from '@slipstream/ports';
import { Histogram } from 'prom-client';

const REQUESTS: ReadonlySet<PropertyKey> = new Set(BROKER_REQUESTS);

/** What came of a request: `unreachable` is every error that is no answer. */
type CallResult = 'answered' | 'refused' | 'limited' | 'unreachable';

function resultOf(error: unknown): CallResult {
  if (error instanceof BrokerRefused) return 'refused';
  return error instanceof BrokerRateLimited ? 'limited' : 'unreachable';
}

/** How long brokers took to answer. It belongs to no registry yet, because brokers are made before the metrics. */
export const brokerCalls = () =>
  new Histogram({
    name: 'slipstream_broker_request_seconds',
    help: 'Time of requests to a broker, by broker, request and result',
    labelNames: ['broker', 'request', 'result'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [],
  });
export type BrokerCalls = ReturnType<typeof brokerCalls>;

/** The brokers, whose requests are timed. */
export const timed = (brokers: Brokers, calls: BrokerCalls): Brokers =>
  new Map([...brokers].map(([name, broker]) => [name, timedBroker(broker, calls)]));

/** A proxy and not a copy: hosts bring brokers of their own, which may be objects of classes with private parts. */
const timedBroker = (broker: Broker, calls: BrokerCalls): Broker =>
  new Proxy(broker, {
    get(target, request) {
      const member: unknown = Reflect.get(target, request, target);
      if (typeof member !== 'function') return member;
      if (!REQUESTS.has(request)) return member.bind(target) as unknown;
      return async (...given: readonly unknown[]): Promise<unknown> => {
        const began = performance.now();
        const ended = (result: CallResult): void =>
          calls.observe(
            { broker: target.name, request: String(request), result },
            (performance.now() - began) / 1000,
          );
        try {
          const answer: unknown = await Reflect.apply(member, target, given);
          ended('answered');
          return answer;
        } catch (error) {
          ended(resultOf(error));
          throw error;
        }
      };
    },
  });
