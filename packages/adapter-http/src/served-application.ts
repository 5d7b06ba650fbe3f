import type { Application, Caller } from '@slipstream/application';
import type { Bot, BotNotification, BotOrder, Decimal, Security } from '@slipstream/domain';

interface BotSettings {
  readonly leverage?: Decimal | undefined;
  readonly slippage?: Decimal | undefined;
  readonly rebalanceOnStart?: boolean | undefined;
  readonly closeOnStop?: boolean | undefined;
  readonly notifications?: readonly BotNotification[] | undefined;
  readonly accountId?: string | undefined;
  readonly credentials?: Readonly<Record<string, unknown>> | undefined;
}
type Allocations = readonly { readonly strategyId: string; readonly percent: Decimal }[];
interface OfBot {
  readonly botId: string;
}
interface BotAccountView {
  readonly equity: Decimal;
  readonly cash: Decimal;
  readonly positions: readonly {
    readonly stockId: string;
    readonly amount: Decimal;
    readonly price: Decimal;
    readonly value: Decimal;
  }[];
  readonly drift: Decimal | null;
}

/** What the bots of the application do for this transport. */
export interface BotOperations {
  newBot(
    caller: Caller,
    command: BotSettings & {
      readonly type: Security;
      readonly broker: string;
      readonly allocations: Allocations;
    },
  ): Promise<Bot>;
  updateBot(
    caller: Caller,
    command: BotSettings & OfBot & { readonly allocations?: Allocations | undefined },
  ): Promise<Bot>;
  updateBotNotifications(
    caller: Caller,
    command: OfBot & { readonly notifications: readonly BotNotification[] },
  ): Promise<Bot>;
  deleteBot(caller: Caller, command: OfBot): Promise<void>;
  getBots(
    caller: Caller,
    command: { readonly botIds?: readonly string[] | undefined },
  ): Promise<Bot[]>;
  getBotOrders(
    caller: Caller,
    command: OfBot & { readonly limit?: number | undefined; readonly cursor?: string | undefined },
  ): Promise<BotOrder[]>;
  getBotAccount(caller: Caller, command: OfBot): Promise<BotAccountView>;
  startBot(
    caller: Caller,
    command: OfBot & { readonly rebalanceOnStart?: boolean | undefined },
  ): Promise<Bot>;
  stopBot(
    caller: Caller,
    command: OfBot & { readonly closeOnStop?: boolean | undefined },
  ): Promise<Bot>;
  resetBot(caller: Caller, command: OfBot): Promise<Bot>;
}

/** The part of the application that is served by operations. */
export type ServedApplication = Omit<Application, keyof BotOperations> & BotOperations;
