/**
 * What a client was told of a channel, so that it goes on there on another connection. Changes that were made together share a
 * version, and a connection may end amid them.
 */
export class ToldEvents {
  /** Of the last event. */
  private version: number | undefined;
  /** How many events it was told of that version, and how many of them were told again. */
  private told = 0;
  private again = 0;
  /** Whether there may be more of that version. */
  private isPart = false;

  /** `version`: the client has everything up to it. */
  constructor(version?: number) {
    this.version = version;
  }

  /** The version after which everything is to be told, some of it perhaps again. */
  get after(): number | undefined {
    return this.isPart && this.version !== undefined ? this.version - 1 : this.version;
  }

  /** Takes an event; false if the client was told it before. */
  take(event: string, version: number): boolean {
    const isSnapshot = event === 'snapshot';
    if (this.isPart && !isSnapshot && version === this.version && this.again < this.told) {
      this.again += 1;
      return false;
    }
    this.told = isSnapshot ? 0 : version === this.version ? this.told + 1 : 1;
    [this.version, this.again, this.isPart] = [version, this.told, false];
    return true;
  }

  /** The connection has ended; `isLatest`: nothing came after the last event of this channel. */
  cut(isLatest: boolean): void {
    this.isPart = isLatest ? this.told > 0 : this.isPart && this.again < this.told;
    this.again = 0;
  }
}
