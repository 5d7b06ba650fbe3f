import { dollars, exactMoment, percent, price, quantity } from '../../figures/format.js';
import type { Bot, BotAccount, LiveBot } from '../../service/folds.js';
import { useReadSince } from '../../service/read.js';
import { Figure, Figures } from '../common/figure.js';
import { Panel } from '../common/panel.js';
import { Shown } from '../common/shown.js';
import { Change } from '../common/signed.js';
import { type Column, Table } from '../common/table.js';

type Kept = BotAccount['kept'][number];
/** A holding beside its target, or a target without a holding. */
type Holding = Partial<Omit<BotAccount['positions'][number], 'stock_id'>> & {
  readonly stock_id: string;
};

const symbolOf = ({ symbol, stock_id }: Pick<Holding, 'symbol' | 'stock_id'>): string =>
  symbol ?? stock_id.slice(0, 8);

const HOLDINGS: readonly Column<Holding>[] = [
  { name: 'Instrument', what: 'instrument', cell: (one) => <b>{symbolOf(one)}</b> },
  {
    name: 'Amount',
    what: 'held_amount',
    isNumber: true,
    class: 'amount',
    cell: ({ amount = '0' }) => quantity(amount),
  },
  {
    name: 'Price',
    what: 'held_price',
    isNumber: true,
    isWide: true,
    cell: (one) => price(one.price),
  },
  {
    name: 'Value',
    what: 'held_value',
    isNumber: true,
    isWide: true,
    class: 'amount',
    cell: ({ value = '0' }) => dollars(value),
  },
  {
    name: 'Weight',
    what: 'held_weight',
    isNumber: true,
    cell: (one) => percent(one.weight),
  },
  {
    name: 'Target',
    what: 'target_weight',
    isNumber: true,
    isWide: true,
    cell: (one) => percent(one.target_weight),
  },
  {
    name: 'Difference',
    what: 'difference',
    isNumber: true,
    cell: (one) => <Change of={one.difference} />,
  },
];

const KEPT: readonly Column<Kept>[] = [
  { name: 'Instrument', what: 'instrument', cell: (one) => <b>{symbolOf(one)}</b> },
  {
    name: 'Amount',
    what: 'held_amount',
    isNumber: true,
    class: 'amount',
    cell: (one) => quantity(one.amount),
  },
  { name: 'Price', what: 'held_price', isNumber: true, cell: (one) => price(one.price) },
  {
    name: 'Value',
    what: 'held_value',
    isNumber: true,
    class: 'amount',
    cell: (one) => dollars(one.value),
  },
];

/** What the bot manages, and what it wants and does not hold. What is wholly kept has a table of its own. */
const managedBy = ({ positions, missing }: BotAccount): readonly Holding[] => [
  ...positions.filter(
    ({ amount, kept, target_weight: target }) =>
      amount !== kept || (target !== null && target !== '0'),
  ),
  ...missing.map((one) => ({ ...one, weight: '0' })),
];

/** The brokerage account of a bot as it is now, against its target. */
export function BotAccountPanel(props: { readonly bot: Bot; readonly live: LiveBot | undefined }) {
  const { bot, live } = props;
  const read = useReadSince(live?.since, `account ${bot.bot_id}`, (client) =>
    client.getBotAccount({ bot_id: bot.bot_id }),
  );
  const account = live?.account
    ? { ...read, data: live.account, isAnswered: true, error: undefined }
    : read;
  return (
    <Panel
      title="Account against target"
      aside={
        <span class="row">
          {live?.accountAt !== undefined && (
            <span class="small quiet" title="When the broker told it last.">
              {exactMoment(live.accountAt)}
            </span>
          )}
          <span class={`tag ${bot.live ? 'real' : 'caution'}`}>
            {bot.live ? 'real money' : 'not real money'}
          </span>
        </span>
      }
    >
      <Shown of={account} what="the account" height="8rem">
        {(now) => (
          <>
            <Figures>
              <Figure label="Equity" what="equity">
                <span class="amount">{dollars(now.equity)}</span>
              </Figure>
              {now.kept.length > 0 && (
                <Figure label="Managed" what="managed_equity">
                  <span class="amount">{dollars(now.managed_equity)}</span>
                </Figure>
              )}
              <Figure label="Cash" what="cash">
                <span class="amount">{dollars(now.cash)}</span>
              </Figure>
              <Figure label="Drift" what="drift">
                {percent(now.drift)}
              </Figure>
            </Figures>
            <Table
              label="Holdings"
              columns={HOLDINGS}
              rows={managedBy(now)}
              record={(one) => ({ ...one })}
              keyOf={({ stock_id }) => stock_id}
              empty={`It holds no positions${now.drift === null ? '' : ', and wants none'}.`}
            />
            {now.kept.length > 0 && (
              <>
                <h3>Kept: yours, and never traded by the bot</h3>
                <Table
                  label="Kept"
                  columns={KEPT}
                  rows={now.kept}
                  record={(one) => ({ ...one })}
                  keyOf={({ stock_id }) => stock_id}
                  empty=""
                />
              </>
            )}
          </>
        )}
      </Shown>
    </Panel>
  );
}
