import type { DeliveryNews } from '../link/messages.js';

/** What became of answers to alerts, until the node that serves has heard it. */
export class NewsOfDeliveries {
  private waiting: DeliveryNews[] = [];
  /** So many of them are on their way. */
  private told = 0;

  /** `onNews` is called when there is something to tell. */
  constructor(private readonly onNews: () => void) {}

  readonly deliveries = {
    alertAnswered: (delivery: string): void => this.add(['answered', delivery]),
    alertLost: (delivery: string): void => this.add(['lost', delivery]),
  };

  /** Whether all of it has arrived. */
  get isHeard(): boolean {
    return this.waiting.length === 0;
  }

  /** Those that are not on their way; now they are. */
  next(): readonly DeliveryNews[] {
    const news = this.waiting.slice(this.told);
    this.told = this.waiting.length;
    return news;
  }

  /** The oldest ones have arrived. */
  heard(count: number): void {
    this.waiting.splice(0, count);
    this.told -= count;
  }

  /** Those on their way may be lost. */
  again(): void {
    this.told = 0;
  }

  private add(one: DeliveryNews): void {
    this.waiting.push(one);
    this.onNews();
  }
}
