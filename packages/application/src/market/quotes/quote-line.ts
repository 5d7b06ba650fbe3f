import type { Quote } from '@slipstream/domain';
import type { Pause } from '@slipstream/ports';

/** The number of quotes handled before other work runs: with 200 holders of each stock, a few milliseconds. */
export const QUOTES_AT_ONCE = 200;

/** Handles a part of a list; `first` is the index of its first quote in the list. */
type Take = (quotes: readonly Quote[], first: number) => void;

/** Handles lists of quotes in order of receipt. Between the parts of a long list other work runs. */
export class QuoteLine {
  private last: Promise<void> | undefined;

  constructor(private readonly pause: Pause) {}

  /** Resolves when the list is handled. A short list is handled at once, unless others wait. */
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

  /** Resolves when the lists received so far are handled. */
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
