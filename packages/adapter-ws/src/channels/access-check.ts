import { Refusal } from '@slipstream/domain';
import { UNREAD } from '@slipstream/wire';
import type { Connection } from '../connections/connection.js';
import { requireScope, requireSight } from './rights.js';
import { POLICY, type Streams, TRY_AGAIN, endSubscription } from '../streams.js';
import type { Subscription } from './subscription.js';

/** Whether the caller of one connection may still see its channels. Checks are made one after another. */
export class AccessCheck {
  private last = Promise.resolve();

  constructor(
    private readonly streams: Streams,
    private readonly connection: Connection,
  ) {}

  /** Holds the channels back until it is certain that the caller may still see them. */
  check(subscriptions: readonly Subscription[], reason: string): Promise<void> {
    for (const subscription of subscriptions) subscription.hold();
    this.last = this.last.then(() => this.recheck(subscriptions, reason));
    return this.last;
  }

  /** Resolves when no check is running: data that was read before a check must not be sent earlier. */
  async idle(): Promise<void> {
    for (let last; last !== this.last;) {
      last = this.last;
      await last;
    }
  }

  /** Ends the connection if its token is no longer valid. */
  async endIfLost(): Promise<void> {
    if (!(await this.isTokenLost())) return;
    for (const subscription of [...this.connection.subscriptions.values()])
      endSubscription(this.streams, subscription, 'the token is no longer valid');
    this.connection.close(POLICY, 'the token is no longer valid');
  }

  private async recheck(subscriptions: readonly Subscription[], reason: string): Promise<void> {
    const { turn } = this.streams;
    await turn();
    const isLost = await this.isTokenLost();
    for (const subscription of subscriptions) {
      await turn();
      const ended = await this.whyEnded(subscription, isLost, reason);
      if (ended !== undefined) endSubscription(this.streams, subscription, ended);
      subscription.release();
    }
    if (isLost) this.connection.close(POLICY, 'the token is no longer valid');
    else if (isLost === undefined)
      this.connection.close(TRY_AGAIN, 'the token could not be checked');
  }

  /**
   * Authenticates the token again; its scope may have changed too. Undefined when that fails. A token that came meanwhile was
   * authenticated itself.
   */
  private async isTokenLost(): Promise<boolean | undefined> {
    const { connection } = this;
    const { application, log } = this.streams;
    const { token } = connection;
    if (token === undefined) return false;
    try {
      const caller = await application.requests.authenticate(token);
      if (connection.token === token) connection.caller = caller;
      return false;
    } catch (error) {
      if (error instanceof Refusal) return connection.token === token;
      log.error({ error: String(error) }, 'could not check a token');
      return undefined;
    }
  }

  /**
   * Why the channel ends; undefined when the caller may still see it. It also ends when the check fails, for as long as that: better
   * than to show too much.
   */
  private async whyEnded(
    { channel }: Subscription,
    isTokenLost: boolean | undefined,
    reason: string,
  ): Promise<string | undefined> {
    const { application, log } = this.streams;
    if (isTokenLost !== false) return isTokenLost ? reason : UNREAD;
    try {
      requireScope(this.connection.caller, channel);
      await requireSight(application, this.connection.caller, channel);
      return undefined;
    } catch (error) {
      if (error instanceof Refusal) return reason;
      log.error({ error: String(error) }, 'could not check the access of subscribers');
      return UNREAD;
    }
  }
}
