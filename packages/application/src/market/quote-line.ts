import type { Quote } from '@slipstream/domain';
import type { Pause } from '@slipstream/ports';

/** Quotes that are taken without letting others go first: with 200 holders of each stock, a few milliseconds of work. */
export const QUOTES_AT_ONCE = 200;

/** Takes a part of a list; `first` is the index of its first quote in the list. */
type Take = (quotes: readonly Quote[], first: number) => void;

/** Lists of quotes are taken in order of receipt, though a long one lets others go first between its parts. */
export class QuoteLine {
  private last: Promise<void> | undefined;

  constructor(private readonly pause: Pause) {}

  /** Resolves when the list is taken. A short one is taken at once, unless others are before it. */
  enter(quotes: readonly Quote[], take: Take): Promise<void> | undefined {
    if (!this.last && quotes.length <= QUOTES_AT_ONCE) {
      take(quotes, 0);
      return undefined;
    }
    const before = this.last ? this.last.then(this.pause) : Promise.resolve();
    const taken = before.then(() => this.inParts(quotes, take));
    const ended: Promise<void> = taken
      .catch(() => undefined)
      .then(() => {
        if (this.last === ended) this.last = undefined;
      });
    this.last = ended;
    return taken;
  }

  /** Resolves when the lists that came by now are taken. */
  async caughtUp(): Promise<void> {
    await this.last;
  }

  private async inParts(quotes: readonly Quote[], take: Take): Promise<void> {
    for (let first = 0; first < quotes.length; first += QUOTES_AT_ONCE) {
      if (first > 0) await this.pause();
      take(quotes.slice(first, first + QUOTES_AT_ONCE), first);
    }
  }
}
