import { simulatedGateway } from '@slipstream/adapter-payment-simulated';
import type { StripeAccess } from '@slipstream/adapter-payment-stripe';
import type { Clock, PaymentGateway } from '@slipstream/ports';
import { ContainerModule, type ServiceIdentifier } from 'inversify';
import { z } from 'zod';
import { standInUrl } from '../settings/stand-in-url.js';

/** The settings of payments: through Stripe if both keys are set, otherwise simulated. */
export const paymentSettings = {
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_(test|live)_\w+$/, 'must be like sk_live_…')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\w+$/, 'must be like whsec_…')
    .optional(),
  STRIPE_URL: z
    .string()
    .refine(
      (text) => standInUrl(text) !== undefined,
      'must be like http://127.0.0.1:12111, on this machine',
    )
    .optional(),
};

/** Stripe's API as it is imitated on this machine, if it is. */
export function stripeApi({ STRIPE_URL: text }: PaymentSettings): StripeAccess['api'] {
  const url = text === undefined ? undefined : standInUrl(text);
  return url && { protocol: 'http', host: url.hostname, port: Number(url.port) };
}

interface PaymentSettings {
  readonly STRIPE_SECRET_KEY?: string | undefined;
  readonly STRIPE_WEBHOOK_SECRET?: string | undefined;
  readonly STRIPE_URL?: string | undefined;
}

/** The problem with their combination; undefined if there is none. */
export function paymentProblem(settings: PaymentSettings): string | undefined {
  const { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secret, STRIPE_URL: url } = settings;
  if (url !== undefined && key === undefined) return 'STRIPE_URL needs STRIPE_SECRET_KEY';
  if ((key === undefined) === (secret === undefined)) return undefined;
  return 'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET must be given together';
}

/** The payment gateway. Stripe's own package is loaded only where it is used: it is a tenth of a start. */
export const payments = (
  gateway: ServiceIdentifier<PaymentGateway>,
  clock: ServiceIdentifier<Clock>,
  settings: PaymentSettings,
  returnUrl: string,
): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(gateway).toResolvedValue(
      async (time: Clock) => {
        const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = settings;
        if (secretKey === undefined || webhookSecret === undefined)
          return simulatedGateway({ clock: time });
        const { stripeGateway } = await import('@slipstream/adapter-payment-stripe');
        return stripeGateway({
          secretKey,
          webhookSecret,
          clock: time,
          returnUrl,
          api: stripeApi(settings),
        });
      },
      [clock],
    );
  });

/** The path of the gateway's webhook; undefined if it has none. */
export const noticesPath = ({ name, readNotice }: PaymentGateway): string | undefined =>
  readNotice && `/${name}`;
