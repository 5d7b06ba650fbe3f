import type { AlertRecord } from '../alerts/alert-record.js';
import type { Invoice } from '../billing/invoice.js';
import type { PaymentDetails, PaymentSource } from '../billing/payment.js';
import type { Bot } from '../mirroring/bot.js';
import type { Decimal } from '../numbers/decimal.js';
import type { Subscription } from '../strategies/strategy.js';
import type { OrderView, StrategyValueView } from '../views.js';

/** Something of which endpoints are told, with its record as reads show it (contract 17). */
export type Happening =
  | {
      readonly name: 'order.filled' | 'order.rejected' | 'order.cancelled';
      readonly order: OrderView;
      /** Of the book after it. */
      readonly version: number;
    }
  | { readonly name: 'alert.refused'; readonly alert: AlertRecord }
  | {
      readonly name: 'bot.started' | 'bot.stopped' | 'bot.breached' | 'bot.error';
      readonly bot: Bot;
    }
  | { readonly name: 'subscription.changed'; readonly subscription: Subscription }
  | {
      readonly name: 'invoice.changed';
      readonly invoice: Invoice;
      readonly source: { readonly source: PaymentSource; readonly details: PaymentDetails };
    }
  | {
      readonly name: 'value.crossed';
      readonly value: StrategyValueView;
      /** Normalized, when it was measured before. */
      readonly before: Decimal;
    };
