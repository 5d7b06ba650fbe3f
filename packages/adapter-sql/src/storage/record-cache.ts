import type {
  AccountBucket,
  Book,
  Bot,
  BotId,
  BotOrder,
  ChainHead,
  StockAction,
  Strategy,
  Subscription,
  Timestamp,
  Token,
  Trade,
  ValueBucket,
  ValueDay,
} from '@slipstream/domain';

/** The records that every alert, tick, request or check of a bot needs, by their keys. */
export interface CachedRecords {
  /** By strategy. */
  readonly books: Book;
  readonly strategies: Strategy;
  /** By digest. */
  readonly tokens: Token;
  /** The last entry of each strategy's track record. */
  readonly trackHeads: ChainHead;
  /** The last entry of the audit log, under no key. */
  readonly auditHeads: ChainHead;
  /** The last bucket of each strategy's value history, if it has one. */
  readonly lastBuckets: { readonly bucket: ValueBucket | undefined };
  /** The last measured day of each strategy, if it has one. */
  readonly valueDays: { readonly day: ValueDay | undefined };
  /** How many active subscribers each strategy has. */
  readonly subscribers: { readonly count: number };
  /** The bots that name each strategy in their allocations. */
  readonly mirrors: { readonly botIds: readonly BotId[] };
  /** The bots that were looked at last. */
  readonly bots: Bot;
  /** The last bucket of each bot's account, if it has one. */
  readonly lastAccounts: { readonly bucket: AccountBucket | undefined };
  /** The orders of a bot that are not known to have ended, oldest first. */
  readonly outstanding: { readonly orders: readonly BotOrder[] };
  /** The orders of a bot that were made at `from` or later, oldest first. */
  readonly lateOrders: { readonly from: Timestamp; readonly orders: readonly BotOrder[] };
  /** A simulated brokerage account as the one text that it is kept as. */
  readonly brokerAccounts: { readonly state: string };
  /** The newest trades of a strategy, newest first. */
  readonly newestTrades: { readonly trades: readonly Trade[] };
  /** What a user has of a strategy now, by both. */
  readonly memberships: { readonly subscription: Subscription | undefined };
  /** The last split of each stock, under no key. */
  readonly splits: { readonly last: readonly StockAction[] };
  /** The corporate action that was made last, if there was one, under no key. */
  readonly newestAction: { readonly action: StockAction | undefined };
  /** How many halts of trading stand, by scope: most of the time none. */
  readonly halts: { readonly count: number };
  /** Whether an endpoint listens on the topic; under no topic, on any. */
  readonly heardTopics: { readonly isHeard: boolean };
}
type Kind = keyof CachedRecords;

/** What each bot's check reads: as many as bots follow one strategy in the largest installations, else every trade reads all of them anew. */
const MOST_BOTS = 12_000;

/** The strategies that trade at a time. All others are at rest, and once a day each is looked at. */
const MOST_TRADING = 5_000;

/** How many records of a kind stay in memory, where it is not all of them: these are large or many, and most are at rest. */
type Most = Partial<Record<Kind, number>>;
const MOST: Most = {
  books: MOST_TRADING,
  strategies: MOST_TRADING,
  trackHeads: MOST_TRADING,
  mirrors: MOST_TRADING,
  bots: MOST_BOTS,
  lastAccounts: MOST_BOTS,
  outstanding: MOST_BOTS,
  lateOrders: MOST_BOTS,
  brokerAccounts: MOST_BOTS,
  newestTrades: 200,
  memberships: MOST_BOTS,
};

/** The records that need not be read from the database. */
export interface Records {
  get<Of extends Kind>(kind: Of, key: string): CachedRecords[Of] | undefined;
  /** Stores a record that was read. */
  read<Of extends Kind>(kind: Of, key: string, record: CachedRecords[Of]): void;
  /** Stores a record that was written (undefined: it must be read again); others see it after the commit. */
  written<Of extends Kind>(kind: Of, key: string, record: CachedRecords[Of] | undefined): void;
}

/** Records are immutable values of which this process is the only writer, so the committed ones stay in memory. */
export interface RecordCache {
  /** The records as a group of transactions sees them: its own over the committed ones. */
  openGroup(): GroupRecords;
  /**
   * The records as a read sees them while `isCurrent`; after that, the read is of an earlier moment than the cache. What the commit
   * under way has written is in doubt, and not there. `saw` is called with the number of a commit from which a record may be.
   */
  forRead(isCurrent: () => boolean, saw?: (commit: number) => void): Records;
  /** Whether the record that a read got is still the committed one, without doubt. */
  isStill<Of extends Kind>(kind: Of, key: string, record: CachedRecords[Of]): boolean;
}

export interface GroupRecords extends Records {
  /** The next transaction of the group begins. */
  openWork(): void;
  /** The transaction's writes are rolled back; those of others in the group stay. */
  rollbackWork(): void;
  /** The group's commit is under way; `promote` or `forget` follows. */
  committing(): void;
  /** The group's records are committed, by the commit of that number. */
  promote(commit: number): void;
  /** The group's records are rolled back, also those that count as committed already; stored ones are loaded again. */
  forget(): void;
}

type Table = Map<string, CachedRecords[Kind] | undefined>;
type Tables = Readonly<Record<Kind, Table>>;

const tables = (): Tables => ({
  books: new Map(),
  strategies: new Map(),
  tokens: new Map(),
  trackHeads: new Map(),
  auditHeads: new Map(),
  lastBuckets: new Map(),
  valueDays: new Map(),
  subscribers: new Map(),
  mirrors: new Map(),
  bots: new Map(),
  lastAccounts: new Map(),
  outstanding: new Map(),
  lateOrders: new Map(),
  brokerAccounts: new Map(),
  newestTrades: new Map(),
  memberships: new Map(),
  splits: new Map(),
  newestAction: new Map(),
  halts: new Map(),
  heardTopics: new Map(),
});
const KINDS = Object.keys(tables()) as readonly Kind[];

export function recordCache(mosts: Most = MOST): RecordCache {
  const committed = tables();
  /** The last commit that wrote records of a kind. */
  const written = new Map<Kind, number>();
  /** What the commit under way has written. */
  let inDoubt: Tables | undefined;
  const known = <Of extends Kind>(kind: Of, key: string) =>
    committed[kind].get(key) as CachedRecords[Of] | undefined;
  /** Where not all of a kind stay, the one that was kept first goes. */
  const keep = (kind: Kind, key: string, record: CachedRecords[Kind] | undefined): void => {
    const table = committed[kind];
    const most = mosts[kind];
    if (most !== undefined) {
      table.delete(key);
      const [oldest] = table.size < most ? [] : table.keys();
      if (oldest !== undefined) table.delete(oldest);
    }
    table.set(key, record);
  };

  return {
    openGroup() {
      const own = tables();
      let commitOf = -1;
      /** The values that the transaction replaced in `own`, oldest first. */
      let overwritten: (() => void)[] = [];
      const overwrite = (table: Table, key: string, record: CachedRecords[Kind] | undefined) => {
        const before = table.get(key);
        overwritten.push(
          table.has(key) ? () => void table.set(key, before) : () => void table.delete(key),
        );
        table.set(key, record);
      };
      const end = (take: (kind: Kind, key: string, record: CachedRecords[Kind]) => void): void => {
        for (const kind of KINDS) {
          for (const [key, record] of own[kind]) {
            if (record) take(kind, key, record);
            else committed[kind].delete(key);
          }
        }
      };
      return {
        get: <Of extends Kind>(kind: Of, key: string) =>
          own[kind].has(key)
            ? (own[kind].get(key) as CachedRecords[Of] | undefined)
            : known(kind, key),
        read: (kind, key, record) => {
          if (!own[kind].has(key)) keep(kind, key, record);
        },
        written: (kind, key, record) => {
          overwrite(own[kind], key, record);
        },
        openWork: () => {
          overwritten = [];
        },
        rollbackWork: () => {
          for (const restore of overwritten.toReversed()) restore();
          overwritten = [];
        },
        committing: () => {
          inDoubt = own;
        },
        promote: (commit) => {
          if (inDoubt === own) inDoubt = undefined;
          commitOf = commit;
          for (const kind of KINDS) if (own[kind].size > 0) written.set(kind, commit);
          end(keep);
        },
        forget: () => {
          if (inDoubt === own) inDoubt = undefined;
          for (const kind of KINDS) if (written.get(kind) === commitOf) written.delete(kind);
          end((kind, key) => void committed[kind].delete(key));
        },
      };
    },

    forRead: (isCurrent, saw) => ({
      get: (kind, key) => {
        if (!isCurrent() || inDoubt?.[kind].has(key)) return undefined;
        saw?.(written.get(kind) ?? 0);
        return known(kind, key);
      },
      read: (kind, key, record) => {
        if (isCurrent() && !inDoubt?.[kind].has(key) && !committed[kind].has(key))
          keep(kind, key, record);
      },
      written: () => undefined,
    }),

    isStill: (kind, key, record) => !inDoubt?.[kind].has(key) && known(kind, key) === record,
  };
}
