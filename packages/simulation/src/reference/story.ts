/** A place in a list, whatever its length at that moment. */
type Place = number;

/** How a quote is wrong, or when it was taken. */
export const QUOTE_KINDS = [
  'now',
  'earlier',
  'stale',
  'soon',
  'future',
  'before_split',
  'crossed',
  'zero',
] as const;

export interface QuoteMove {
  readonly stock: Place;
  /** Of the last price, in hundredths of a percent. */
  readonly move: number;
  /** Between bid and ask, in hundredths of a percent. */
  readonly spread: number;
  readonly kind: (typeof QUOTE_KINDS)[number];
}

export interface Size {
  readonly by: 'amount' | 'total';
  /** Percent of the strategy's value, the whole holding, or the largest size that getMaxOrderSize allows. */
  readonly of: 'value' | 'holding' | 'most';
  readonly percent: number;
  /** The number of decimal places of the figure. */
  readonly places: number;
}

export type ReferenceStep =
  | {
      readonly do: 'newOrder';
      readonly strategy: Place;
      readonly stock: Place;
      readonly action: 'buy' | 'sell';
      readonly type: 'market' | 'limit' | 'stop_market' | 'stop_limit' | 'oco';
      /** Of the present price, in hundredths of a percent. */
      readonly price: number;
      readonly stopPrice: number;
      readonly size: Size;
      readonly dependsOn: readonly Place[];
      readonly reduceOnly: boolean | undefined;
    }
  | {
      readonly do: 'allocate';
      readonly strategy: Place;
      readonly targets: readonly { readonly stock: Place; readonly percent: number }[];
      readonly slippage: number;
    }
  | {
      readonly do: 'alert';
      readonly strategy: Place;
      readonly stock: Place;
      readonly action: 'buy' | 'long' | 'sell' | 'short' | 'close' | 'flat';
      readonly leverage: number;
      readonly pyramiding: number | undefined;
      readonly slippage: number;
      readonly marketPosition: 'long' | 'short' | 'flat' | undefined;
      readonly sizes?: readonly [string, string] | undefined;
    }
  | { readonly do: 'deleteOrder'; readonly strategy: Place; readonly order: Place }
  /** Each batch is one request; all are sent at once. */
  | { readonly do: 'quotes'; readonly batches: readonly (readonly QuoteMove[])[] }
  | { readonly do: 'halt' | 'resume'; readonly stock: Place }
  | {
      readonly do: 'split';
      readonly stock: Place;
      readonly newShares: number;
      readonly oldShares: number;
    }
  /** Percent of the last price per share. */
  | { readonly do: 'dividend' | 'delist'; readonly stock: Place; readonly percent: number }
  | { readonly do: 'undoEnd'; readonly strategy: Place }
  | { readonly do: 'advance'; readonly seconds: number }
  | { readonly do: 'advanceTo'; readonly edge: 'opening' | 'closing'; readonly seconds: number };

/** How quotes arrive: by newQuotes, or from a feed, which knows splits or not and does not wait for the core. */
export const FEEDS = ['pushed', 'fed', 'fed_in_old_shares'] as const;

export interface ReferenceStory {
  readonly feed: (typeof FEEDS)[number];
  readonly steps: readonly ReferenceStep[];
}
