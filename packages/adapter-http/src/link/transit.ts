import type { LinkHost } from './link-host.js';

/** The fastest of so long counts, in milliseconds: the clocks of two machines go almost, but not quite, at the same pace. */
const WINDOW = 30_000;

/**
 * How long messages of another node are on their way. Its clock has another beginning, so only the fastest message shows how
 * far apart the clocks are: one that was held up is known by what it took longer.
 */
export class Transit {
  private current = Infinity;
  private before = Infinity;
  private begun: number;

  constructor(private readonly host: Pick<LinkHost, 'now'>) {
    this.begun = host.now();
  }

  /** By how many milliseconds a message that comes now, and was sent at that time of the other clock, was slower than the fastest. */
  late(sentAt: number): number {
    const now = this.host.now();
    if (now - this.begun > WINDOW)
      [this.before, this.current, this.begun] = [this.current, Infinity, now];
    this.current = Math.min(this.current, now - sentAt);
    return now - sentAt - Math.min(this.current, this.before);
  }
}
