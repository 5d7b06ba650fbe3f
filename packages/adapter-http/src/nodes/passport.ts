import type { IncomingMessage } from 'node:http';
import type { SecretBox } from '@slipstream/ports';

/** Whether the answer to an alert reached its sender, by the id of its delivery. */
export type DeliveryNews = readonly ['answered' | 'lost', string];

/** What a node says of a request that it forwards. */
export interface Passport {
  /** Empty when a node only asks whether the other one serves. */
  readonly requestId: string;
  /** The client's address. */
  readonly address: string;
  /** For how many milliseconds the request has waited. */
  readonly waited: number;
  /** What became of the answers to earlier alerts, in this order. */
  readonly news: readonly DeliveryNews[];
}

/** The header of the passport; only another node's is read. */
export const PASSPORT = 'slipstream-passport';

/** A passport is of now: the clocks of nodes may differ by so much, in milliseconds. */
const VALID_FOR = 60_000;

const CONTEXT = 'node link';

/** Proves that a request comes from a node with the same master key. */
export interface Passports {
  issue(passport: Passport, request: Pick<IncomingMessage, 'method' | 'url'>): string;
  /** Undefined unless it is genuine, of this request and of now. */
  read(request: IncomingMessage): Passport | undefined;
}

/** Passports under the master key; `now` is the wall clock. */
export function passports(
  { mac, verify }: Pick<SecretBox, 'mac' | 'verify'>,
  now: () => number,
): Passports {
  const signed = (text: string, { method, url }: Pick<IncomingMessage, 'method' | 'url'>) =>
    `${method} ${url} ${text}`;
  return {
    issue(passport, request) {
      const text = Buffer.from(JSON.stringify({ ...passport, at: now() })).toString('base64url');
      return `${text} ${mac(signed(text, request), CONTEXT)}`;
    },
    read(request) {
      const header = request.headers[PASSPORT];
      const [text = '', proof = ''] = typeof header === 'string' ? header.split(' ') : [];
      if (!verify(proof, signed(text, request), CONTEXT)) return undefined;
      const passport = JSON.parse(Buffer.from(text, 'base64url').toString()) as Passport & {
        readonly at: number;
      };
      return Math.abs(now() - passport.at) < VALID_FOR ? passport : undefined;
    },
  };
}
