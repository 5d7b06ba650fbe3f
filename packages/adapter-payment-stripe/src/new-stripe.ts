import Stripe from 'stripe';

/** Milliseconds after which a request is repeated. */
const TIMEOUT = 15_000;

/** Whom the library asks, as whom. */
export interface StripeAccess {
  readonly secretKey: string;
  /** The address of the API, for tests with a local server; by default Stripe's. */
  readonly api?:
    | {
        readonly protocol: 'http' | 'https';
        readonly host: string;
        readonly port: number;
      }
    | undefined;
}

/** Stripe's library. Whoever calls it decides what is asked again. */
export const newStripe = ({ secretKey, api }: StripeAccess): Stripe =>
  new Stripe(secretKey, { ...api, maxNetworkRetries: 0, timeout: TIMEOUT, telemetry: false });
