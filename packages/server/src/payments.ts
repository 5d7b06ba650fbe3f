import { simulatedGateway } from '@slipstream/adapter-payment-simulated';
import { stripeGateway } from '@slipstream/adapter-payment-stripe';
import type { Clock, PaymentGateway } from '@slipstream/ports';
import { ContainerModule, type ServiceIdentifier } from 'inversify';
import { z } from 'zod';

/** Payments: by Stripe when both are given, simulated otherwise. */
export const paymentSettings = {
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_(test|live)_\w+$/, 'must be like sk_live_…')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\w+$/, 'must be like whsec_…')
    .optional(),
};

interface PaymentSettings {
  readonly STRIPE_SECRET_KEY?: string | undefined;
  readonly STRIPE_WEBHOOK_SECRET?: string | undefined;
}

/** What is wrong with them together; undefined when nothing is. */
export function paymentProblem(settings: PaymentSettings): string | undefined {
  const { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secret } = settings;
  if ((key === undefined) === (secret === undefined)) return undefined;
  return 'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET must be given together';
}

/** Who moves the money. */
export const payments = (
  gateway: ServiceIdentifier<PaymentGateway>,
  clock: ServiceIdentifier<Clock>,
  { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret }: PaymentSettings,
): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(gateway).toResolvedValue(
      (time: Clock) =>
        secretKey !== undefined && webhookSecret !== undefined
          ? stripeGateway({ secretKey, webhookSecret })
          : simulatedGateway({ clock: time }),
      [clock],
    );
  });

/** Where the gateway posts what it tells by itself; undefined when it does not. */
export const noticesPath = ({ name, readNotice }: PaymentGateway): string | undefined =>
  readNotice && `/${name}`;
