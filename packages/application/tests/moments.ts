import { expect } from '@jest/globals';
import type { MemoryPorts } from '@slipstream/adapter-memory/testing';

type Call = (...given: unknown[]) => unknown;
type When = 'before' | 'after';

/** What asks nobody. */
export const SYNCHRONOUS: ReadonlySet<PropertyKey> = new Set([
  ...['productId', 'bodyOf', 'problemOf', 'newSecret', 'page', 'subscribe'],
]);

/** The ports with others for everybody outside: brokers, payments, mails and receivers. */
export const withOutside = (
  given: MemoryPorts,
  outside: <Port extends object>(port: Port) => Port,
): MemoryPorts => ({
  ...given,
  brokers: new Map([...given.brokers].map(([name, broker]) => [name, outside(broker)])),
  mailer: outside(given.mailer),
  paymentGateway: outside(given.paymentGateway),
  endpointSender: given.endpointSender && outside(given.endpointSender),
});

/** The moments of one flow: before and after each call of the ports that it watches. At one of them something else happens. */
export class Moments {
  private passed = 0;
  private happens: (() => unknown) | undefined;

  constructor(private readonly moment: number) {}

  /** Whether the flow had the moment. */
  get hasCome(): boolean {
    return this.passed >= this.moment;
  }

  /** The same port, whose calls amid the flow are moments. */
  watched<Port extends object>(port: Port, when: readonly When[] = ['before', 'after']): Port {
    const wrapped = (call: Call): Call => {
      const passing = async (...given: unknown[]): Promise<unknown> => {
        if (when.includes('before')) await this.pass();
        const answer = await call(...given);
        if (when.includes('after')) await this.pass();
        return answer;
      };
      return (...given) => (this.happens ? passing(...given) : call(...given));
    };
    return new Proxy(port, {
      get: (target, name): unknown => {
        const found: unknown = Reflect.get(target, name);
        if (typeof found !== 'function') return found;
        const call = (found as Call).bind(target);
        return SYNCHRONOUS.has(name) ? call : wrapped(call);
      },
    });
  }

  /** Runs the flow. At its moment it waits for what happens. */
  async amid(happens: () => unknown, flow: () => Promise<unknown>): Promise<void> {
    this.happens = happens;
    try {
      await flow();
    } finally {
      this.happens = undefined;
    }
  }

  /** One more moment. */
  async pass(): Promise<void> {
    this.passed += 1;
    if (this.passed !== this.moment) return;
    const { happens } = this;
    // Its own calls are no moments of the flow.
    this.happens = undefined;
    await happens?.();
    this.happens = happens;
  }
}

/** Plays the story once for each moment of its flow. Returns those after which it was not as it must be. */
export async function wrongMoments(
  story: (moments: Moments) => Promise<boolean>,
): Promise<readonly number[]> {
  const wrong: number[] = [];
  let moment = 1;
  for (; ; moment += 1) {
    const moments = new Moments(moment);
    const isRight = await story(moments);
    if (!moments.hasCome) break;
    if (!isRight) wrong.push(moment);
  }
  expect(moment).toBeGreaterThan(5);
  return wrong;
}
