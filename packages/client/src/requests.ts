import type { OperationName, Operations, ResponseOf } from '@slipstream/wire';

/** What a schema takes, as it is sent. */
type Sent<Name extends OperationName> = Operations[Name]['example']['request'];

/** Counts in a query may be written as numbers. */
type WithNumbers<Fields> = {
  [Field in keyof Fields]: Field extends 'limit' ? Fields[Field] | number : Fields[Field];
};

/** What an operation is given: names as on the wire, decimals as text (or JSON numbers). */
export type Request<Name extends OperationName> = WithNumbers<Sent<Name>> &
  (Operations[Name]['auth'] extends 'body' ? { readonly api_token?: string } : unknown);

/** Options of one call. */
export interface CallOptions {
  /** Of a POST: the same key within 24 hours has the effect once; such a request is tried again (contract 1, "Idempotency"). */
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Instead of the client's token. */
  readonly token?: string | undefined;
}

/** Rows that also answer tables: the text of one. */
type TableMethod<Name extends OperationName> = Operations[Name]['example']['request'] extends {
  readonly format?: unknown;
}
  ? Request<Name> extends { readonly format?: 'json' | 'csv' | undefined }
    ? (
        request: Request<Name> & { readonly format: 'csv' },
        options?: CallOptions,
      ) => Promise<string>
    : unknown
  : unknown;

/** An operation as a method; the request may be left out where nothing in it is required. */
export type Method<Name extends OperationName> = TableMethod<Name> & PlainMethod<Name>;

type PlainMethod<Name extends OperationName> =
  Record<never, never> extends Request<Name>
    ? (request?: Request<Name>, options?: CallOptions) => Promise<ResponseOf<Name>>
    : (request: Request<Name>, options?: CallOptions) => Promise<ResponseOf<Name>>;

/** One method an operation of the table. */
export type Methods = { readonly [Name in OperationName]: Method<Name> };
