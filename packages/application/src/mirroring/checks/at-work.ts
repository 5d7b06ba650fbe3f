/**
 * So many checks work at once: more would take no less time, and each keeps some 100 KB of objects alive, which every collection of garbage
 * copies.
 */
const MOST = 48;

/** The checks that are at work. One that waits for its broker is not. */
export class AtWork {
  private count = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly most = MOST) {}

  /** Resolves when another check may begin; it calls `end`. */
  async begin(): Promise<void> {
    while (this.count >= this.most)
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.count += 1;
  }

  end(): void {
    this.count -= 1;
    this.waiting.shift()?.();
  }

  /** The check goes on as soon as its broker answers, also when others have begun meanwhile. */
  async during<Answer>(asked: Promise<Answer>): Promise<Answer> {
    this.end();
    try {
      return await asked;
    } finally {
      this.count += 1;
    }
  }
}
