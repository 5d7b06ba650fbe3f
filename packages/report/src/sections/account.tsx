import type {
  AccountStatisticsView,
  BotReportContent,
  DatedFigure,
  Figure,
  ReportBotOrder,
  ReportFlow,
  TrackingFigures,
} from '@slipstream/domain';
import { FIGURE_GAPS } from '@slipstream/domain';
import type { JSX } from 'preact';
import { type AccountFigureName, type Definition, GROUPS, TRACKING } from '../definitions.js';
import { percent, rounded, shortTime, signedUsd, toneOf, usd, written } from '../format.js';
import { Top, spanText } from './heading.js';
import { Newest } from './lists.js';
import { type Column, Table } from './table.js';

const TILES: readonly Pick<Definition<AccountFigureName>, 'name' | 'label' | 'form'>[] = [
  { name: 'cagr', label: 'A year', form: 'signed' },
  { name: 'maxDrawdown', label: 'Max drawdown', form: 'percent' },
  { name: 'volatility', label: 'Volatility', form: 'percent' },
  { name: 'sharpe', label: 'Sharpe', form: 'ratio' },
  { name: 'sortino', label: 'Sortino', form: 'ratio' },
  { name: 'worstMonth', label: 'Worst month', form: 'signed' },
];

/** The account, what it mirrors, and the figures that people ask for first. */
export const BotHeading = ({ content }: { readonly content: BotReportContent }): JSX.Element => {
  const { name, account, live, disclosure, statistics, last, mirrored } = content;
  const { totalReturn, target, tracking } = statistics;
  const basis = live ? 'real' : 'simulated';
  return (
    <Top
      {...{ name, disclosure, basis, basisText: live ? 'real money' : 'play money' }}
      span={spanText(statistics)}
      value={last ? usd(last.equity) : '–'}
      growth={totalReturn.value}
      tiles={[
        { label: 'Target', form: 'signed', value: target.totalReturn.value },
        { label: 'Difference', form: 'signed', value: tracking.total.value },
        ...TILES.map(({ name: figure, ...tile }) => ({ ...tile, value: statistics[figure].value })),
      ]}
    >
      {last && (
        <p class="quiet">
          Account <bdi>{account}</bdi>: equity {usd(last.equity)}, of it cash {usd(last.cash)}, read
          at {shortTime(last.at)} UTC.
        </p>
      )}
      {mirrored.length > 0 && (
        <p class="quiet">
          It mirrors{' '}
          {mirrored.map(({ name: strategy, percent: part }, index) => (
            <>
              {index > 0 && ', '}
              <bdi>{strategy}</bdi> ({percent(part, 0)})
            </>
          ))}
          .
        </p>
      )}
    </Top>
  );
};

type Row = Definition<AccountFigureName>;

const dateOf = (figure: Figure | DatedFigure): string =>
  'date' in figure ? (figure.date ?? '') : '';

const columnsOf = (statistics: AccountStatisticsView): readonly Column<Row>[] => {
  const of = (
    title: string,
    figures: Readonly<Record<AccountFigureName, Figure>>,
  ): Column<Row> => ({
    title,
    kind: 'number',
    cell: ({ name, form }) => written(figures[name].value, form),
    tone: ({ name, form }) => (form === 'signed' ? toneOf(figures[name].value) : undefined),
  });
  return [
    { title: 'Figure', kind: 'name', cell: ({ label }) => label },
    of('Account', statistics),
    of('Target', statistics.target),
    { title: 'Date', kind: 'date', cell: ({ name }) => dateOf(statistics[name]) },
    { title: 'n', kind: 'number', cell: ({ name }) => statistics[name].n },
    {
      title: 'Definition',
      kind: 'note',
      cell: ({ name, definition }) => {
        const { gap } = statistics[name];
        return gap ? `None: ${FIGURE_GAPS[gap]}.` : definition;
      },
    },
  ];
};

/** Whether the history of an account can give the figure. */
const isOfAccounts =
  ({ target }: Pick<AccountStatisticsView, 'target'>) =>
  (row: (typeof GROUPS)[number]['figures'][number]): row is Row =>
    row.name in target;

/** The figures of the account beside those of its target. */
export const AccountFigures = ({ statistics }: { readonly statistics: AccountStatisticsView }) => (
  <section>
    <h2>Figures</h2>
    <Table
      columns={columnsOf(statistics)}
      rows={GROUPS.flatMap(({ figures }) => figures.filter(isOfAccounts(statistics)))}
    />
    <p class="quiet">
      {statistics.daysPerYear} days a year, risk-free return{' '}
      {written(statistics.riskFree.toFixed(), 'percent')} a year. n and dates are of the account.
      Falls are by the readings that are kept.
    </p>
  </section>
);

/** The difference of both by cause. */
export const Tracking = ({ tracking }: { readonly tracking: TrackingFigures }): JSX.Element => (
  <section>
    <h2>Difference from the target, by cause</h2>
    <Table
      columns={[
        { title: 'Cause', kind: 'name', cell: ({ label }) => label },
        {
          title: 'Part of the return',
          kind: 'number',
          cell: ({ name, form }) => written(tracking[name].value, form),
          tone: ({ name }) => toneOf(tracking[name].value),
        },
        { title: 'n', kind: 'number', cell: ({ name }) => tracking[name].n },
        {
          title: 'Definition',
          kind: 'note',
          cell: ({ name, definition }) => {
            const { gap } = tracking[name];
            return gap ? `None: ${FIGURE_GAPS[gap]}.` : definition;
          },
        },
      ]}
      rows={TRACKING}
    />
    <p class="quiet">n of a cause is the number of orders, or readings, that tell it.</p>
  </section>
);

const FLOW_COLUMNS: readonly Column<ReportFlow>[] = [
  { title: 'Time (UTC)', kind: 'date', cell: ({ at }) => shortTime(at) },
  { title: 'Flow', kind: 'number', cell: ({ flow }) => signedUsd(flow) },
  { title: 'Equity after it', kind: 'number', cell: ({ equity }) => usd(equity) },
  { title: 'Cash after it', kind: 'number', cell: ({ cash }) => usd(cash) },
];

/** What came into the account and went out of it. */
export const Flows = ({ flows }: { readonly flows: readonly ReportFlow[] }): JSX.Element => (
  <Newest
    title="Flows"
    columns={FLOW_COLUMNS}
    rows={flows}
    none="No flow is known."
    all="the answers of getBotHistory"
  />
);

const price = (text: string | null): string => (text === null ? '–' : rounded(text, 4));

const ORDER_COLUMNS: readonly Column<ReportBotOrder>[] = [
  { title: 'Time (UTC)', kind: 'date', cell: ({ at }) => shortTime(at) },
  {
    title: 'Order',
    cell: ({ action, stock }) => (
      <>
        <span class={action === 'buy' ? 'gain' : 'loss'}>{action}</span> {stock}
      </>
    ),
  },
  { title: 'Amount', kind: 'number', cell: ({ amount }) => amount },
  { title: 'Filled', kind: 'number', cell: ({ filledAmount }) => filledAmount },
  { title: 'Price', kind: 'number', cell: ({ filledPrice }) => price(filledPrice) },
  { title: 'Planned', kind: 'number', cell: ({ plannedPrice }) => price(plannedPrice) },
  { title: 'Strategy', kind: 'number', cell: ({ strategyPrice }) => price(strategyPrice) },
  { title: 'Fee', kind: 'number', cell: ({ fee }) => price(fee) },
  {
    title: 'State',
    cell: ({ status, reason }) => (reason === null ? status : `${status}: ${reason}`),
  },
];

/** The last orders. */
export const Orders = ({ orders }: { readonly orders: readonly ReportBotOrder[] }): JSX.Element => (
  <Newest
    title="Orders"
    columns={ORDER_COLUMNS}
    rows={orders}
    none="There is none."
    all="the answers of getBotOrders"
  />
);
