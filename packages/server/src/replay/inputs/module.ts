import { Refusal, type Timestamp, decimalText } from '@slipstream/domain';
import { type ResponseOf, operations, readRequest } from '@slipstream/wire';
import { loadModule } from '../../cli/load-module.js';
import type { Bar, Prices } from '../data/bar.js';
import type { ReplayedService } from '../run/service.js';

/** A bar that is over. Times are ISO 8601 in UTC; prices are trades, or bids where the data has both sides. */
export interface ClosedBar extends Prices {
  readonly symbol: string;
  readonly startsAt: string;
  readonly endsAt: string;
}

/** An operation's fields without strategy_id, as the documents of the service have them. */
type Fields = Readonly<Record<string, unknown>>;

/** What a module sees and may do at the end of a bar. Nothing in it is later than `at`; orders meet the next quote. */
export interface ReplayContext {
  /** The end of the bars that closed now. */
  readonly at: string;
  /** They, by symbol. */
  readonly bars: ReadonlyMap<string, ClosedBar>;
  /** The last `count` closed bars of a symbol, oldest first; fewer at the beginning. */
  history(symbol: string, count: number): readonly ClosedBar[];
  /** The strategy's value; null while it is unknown. */
  value(): string | null;
  getPositions(): Promise<ResponseOf<'getPositions'>>;
  getOrders(fields?: Fields): Promise<ResponseOf<'getOrders'>>;
  newOrder(fields: Fields): Promise<ResponseOf<'newOrder'>>;
  newOrderAllocations(fields: Fields): Promise<ResponseOf<'newOrderAllocations'>>;
  newOrderWebhook(fields: Fields): Promise<ResponseOf<'newOrderWebhook'>>;
  deleteOrder(fields: Fields): Promise<ResponseOf<'deleteOrder'>>;
}

/** A module for --strategy. */
export interface ReplayModule {
  /** Called at the end of each bar time, once for all bars that closed then. A refused order rejects. */
  onBar(context: ReplayContext): Promise<void> | void;
  /** How many closed bars of a symbol `history` can give; 500 by default, at most 100,000. */
  readonly history?: number;
}

const HISTORY = 500;
const LONGEST_HISTORY = 100_000;

/** Loads a module; refuses a file without `onBar`. */
export async function readModule(file: string): Promise<ReplayModule> {
  const found: Partial<ReplayModule> = await loadModule(
    file,
    (reason) => new Refusal('invalid_field', `${file}: ${reason}`),
  );
  if (typeof found.onBar !== 'function')
    throw new Refusal('invalid_field', `${file} exports no function onBar(context)`);
  const { history = HISTORY } = found;
  if (!Number.isInteger(history) || history < 1 || history > LONGEST_HISTORY)
    throw new Refusal('invalid_field', `${file}: history must be a whole number from 1 to 100,000`);
  return { onBar: found.onBar, history };
}

/** The closed bars of each symbol, the newest ones only. */
class Histories {
  private readonly bars = new Map<string, ClosedBar[]>();

  constructor(private readonly kept: number) {}

  add(bar: ClosedBar): void {
    const known = this.bars.get(bar.symbol) ?? [];
    known.push(bar);
    // Cut rarely, because each cut moves the rest.
    if (known.length > 2 * this.kept) known.splice(0, known.length - this.kept);
    this.bars.set(bar.symbol, known);
  }

  last(symbol: string, count: number): readonly ClosedBar[] {
    const wanted = Math.min(Math.max(Math.floor(count), 0), this.kept);
    return wanted === 0 ? [] : (this.bars.get(symbol)?.slice(-wanted) ?? []);
  }
}

const valueText = ({ live, strategyId }: ReplayedService, at: Timestamp): string | null => {
  const value = live.valueOf(strategyId, at);
  return value && decimalText(value);
};

type CalledOperation =
  | 'getPositions'
  | 'getOrders'
  | 'newOrder'
  | 'newOrderAllocations'
  | 'newOrderWebhook'
  | 'deleteOrder';

/** Calls a module at the end of bars. */
export class ModuleRunner {
  private readonly histories: Histories;

  constructor(
    private readonly module: ReplayModule,
    private readonly symbols: readonly string[],
    private readonly service: ReplayedService,
    private readonly outputs: {
      refused(this: void, at: Timestamp, source: string, reason: string): void;
    },
  ) {
    this.histories = new Histories(module.history ?? HISTORY);
  }

  async closed(at: Timestamp, bars: readonly Bar[], isWarmUp: boolean): Promise<void> {
    const shown = bars.map((bar) => this.shown(bar));
    for (const bar of shown) this.histories.add(bar);
    if (isWarmUp) return;
    this.service.forgetQuotes();
    const { module, service, histories } = this;
    await module.onBar({
      at: new Date(at).toISOString(),
      bars: new Map(shown.map((bar) => [bar.symbol, bar])),
      history: (symbol, count) => histories.last(symbol, count),
      value: () => valueText(service, at),
      getPositions: () => this.call('getPositions', {}),
      getOrders: (fields = {}) => this.call('getOrders', fields),
      newOrder: (fields) => this.call('newOrder', fields),
      newOrderAllocations: (fields) => this.call('newOrderAllocations', fields),
      newOrderWebhook: (fields) => this.call('newOrderWebhook', fields),
      deleteOrder: (fields) => this.call('deleteOrder', fields),
    });
  }

  private shown({ symbol, prices, startsAt, endsAt }: Bar): ClosedBar {
    return Object.freeze({
      symbol: this.symbols[symbol] as string,
      startsAt: new Date(startsAt).toISOString(),
      endsAt: new Date(endsAt).toISOString(),
      ...prices,
    });
  }

  /** Performs an operation of the service as a request would: validated, and presented as the documents say. */
  private async call<Name extends CalledOperation>(
    name: Name,
    fields: Fields,
  ): Promise<ResponseOf<Name>> {
    const { application, caller, strategyId } = this.service;
    const row = operations[name];
    try {
      const read = readRequest(row.request, { ...fields, strategy_id: strategyId });
      const command = (row.command as (request: unknown) => never)(read);
      const view = await application.operations[name](caller, command);
      return (row.present as (shown: unknown) => ResponseOf<Name>)(view);
    } catch (error) {
      if (error instanceof Refusal)
        this.outputs.refused(this.service.clock.now(), name, error.message);
      throw error;
    }
  }
}
