import type { StreamTimers } from '../timers.js';

/** Sends at most once an interval; the newest always arrives. */
export class Pace {
  private waiting: (() => void) | undefined;
  /** Set while nothing may be sent. */
  private cancelRest: (() => void) | undefined;

  /** `interval` in milliseconds. */
  constructor(
    private readonly timers: StreamTimers,
    private readonly interval: number,
  ) {}

  /** Calls `send` now, or when the interval is over unless a newer one has come. */
  send(send: () => void): void {
    this.waiting = send;
    if (!this.cancelRest) this.sendWaiting();
  }

  /** The same after an interval: the channel has just sent something else. */
  sendLater(send: () => void): void {
    this.waiting = send;
    this.cancelRest ??= this.rest();
  }

  stop(): void {
    this.waiting = undefined;
    this.cancelRest?.();
  }

  private rest(): () => void {
    return this.timers.after(this.interval, () => this.sendWaiting());
  }

  private sendWaiting(): void {
    const { waiting } = this;
    this.waiting = undefined;
    this.cancelRest = waiting && this.rest();
    waiting?.();
  }
}
