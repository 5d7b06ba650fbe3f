import type { DeliveryNews } from './passport.js';

/** So many fit into the header of one request. */
const MOST = 100;

/** What became of answers to alerts, until the node that serves has heard it. */
export class NewsOfDeliveries {
  private waiting: readonly DeliveryNews[] = [];

  readonly deliveries = {
    alertAnswered: (delivery: string): void => this.add(['answered', delivery]),
    alertLost: (delivery: string): void => this.add(['lost', delivery]),
  };

  /** The oldest of them; empty when all is told. */
  some(): readonly DeliveryNews[] {
    return this.waiting.slice(0, MOST);
  }

  /** They came with a request that was taken. */
  heard(news: readonly DeliveryNews[]): void {
    if (news.length > 0) this.waiting = this.waiting.filter((one) => !news.includes(one));
  }

  private add(one: DeliveryNews): void {
    this.waiting = [...this.waiting, one];
  }
}
