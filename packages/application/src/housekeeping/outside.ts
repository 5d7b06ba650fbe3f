import { BROKER_REQUESTS, type Broker, type Ports, requestsThrough } from '@slipstream/ports';
import { Ended } from './ended.js';

type Method<Port> = keyof Port & string;

const OF_GATEWAY = [
  'link',
  'confirmation',
  'unlink',
  'charge',
  'refund',
  'standing',
  'payOut',
] as const satisfies readonly Method<Ports['paymentGateway']>[];

/**
 * The requests to others that are under way. A process that ends can leave them, whatever becomes of them: what they are for is
 * stored as it was before they had an answer, as if the process had been killed then, so the next process goes on.
 */
export class Outside {
  private readonly waiting = new Set<() => void>();
  private isLeft = false;

  /** Those that have no answer yet, and every later one, throw `Ended`. */
  leave(): void {
    this.isLeft = true;
    for (const leave of this.waiting) leave();
  }

  /** The same ports, whose requests can be left. */
  through(ports: Ports): Ports {
    const { endpointSender, timestampAuthority, announcedActions, marketCalendar } = ports;
    return {
      ...ports,
      brokers: new Map([...ports.brokers].map(([name, broker]) => [name, this.broker(broker)])),
      mailer: this.leavable(ports.mailer, ['send']),
      paymentGateway: this.leavable(ports.paymentGateway, OF_GATEWAY),
      endpointSender: endpointSender && this.leavable(endpointSender, ['send']),
      timestampAuthority: timestampAuthority && this.leavable(timestampAuthority, ['stamp']),
      announcedActions: announcedActions && this.leavable(announcedActions, ['between']),
      marketCalendar: marketCalendar && this.leavable(marketCalendar, ['between']),
    };
  }

  private broker(broker: Broker): Broker {
    const asked = this.leavable(broker, BROKER_REQUESTS);
    const consent = broker.consent && this.leavable(broker.consent, ['redeem']);
    if (!consent) return asked;
    return new Proxy(asked, {
      get: (target, name): unknown => (name === 'consent' ? consent : Reflect.get(target, name)),
    });
  }

  private leavable<Port extends object>(port: Port, requests: readonly Method<Port>[]): Port {
    return requestsThrough(port, requests, (_, ask) => this.answered(ask));
  }

  private answered<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.isLeft) throw new Ended();
      const asked = Promise.resolve(ask());
      const leave = (): void => reject(new Ended());
      this.waiting.add(leave);
      const answer = (): void => {
        this.waiting.delete(leave);
        resolve(asked);
      };
      asked.then(answer, answer);
    });
  }
}
