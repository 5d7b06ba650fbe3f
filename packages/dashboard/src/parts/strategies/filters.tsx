import { namesOf } from '../../figures/names.js';
import { TIMEFRAMES, type Timeframe } from '../../service/records.js';
import { Choice, Field } from '../common/form.js';
import { Panel } from '../common/panel.js';

const SORTS = [
  ['rank_top', 'best overall'],
  ['return', 'largest return'],
  ['drawdown', 'smallest drawdown'],
  ['rank_performance', 'performance rank'],
  ['rank_popular', 'most popular'],
  ['rank_trending', 'trending'],
  ['followers', 'most followers'],
  ['price', 'lowest price'],
  ['age', 'oldest'],
] as const;

/** What the reader looks for. */
export interface Search {
  readonly query: string;
  readonly type: '' | 'stock' | 'cryptocurrency';
  /** US dollars a month. */
  readonly maxPrice: string;
  /** A fraction. */
  readonly maxDrawdown: string;
  /** Days. */
  readonly minAge: string;
  /** With commas between them; any of them. */
  readonly categories: string;
  readonly basis: '' | 'simulated' | 'supplied' | 'hypothetical';
  readonly sort: (typeof SORTS)[number][0];
  readonly timeframe: Timeframe;
}

/** The request of a search: empty fields are left out. */
export const searchFields = (search: Search) => ({
  ...(search.query.trim() !== '' && { query: search.query.trim() }),
  ...(search.type !== '' && { type: search.type }),
  ...(search.maxPrice !== '' && { max_price: search.maxPrice }),
  ...(search.maxDrawdown !== '' && { max_drawdown: search.maxDrawdown }),
  ...(search.minAge !== '' && { min_age_days: search.minAge }),
  ...(categoriesOf(search).length > 0 && { category: categoriesOf(search) }),
  ...(search.basis !== '' && { basis: search.basis }),
  sort: search.sort,
  timeframe: search.timeframe,
});

const categoriesOf = ({ categories }: Search): string[] => namesOf(categories);

/** The form that narrows the list. */
export function Filters(props: {
  readonly search: Search;
  readonly onSearch: (search: Search) => void;
}) {
  const { search, onSearch } = props;
  const set =
    <Name extends keyof Search>(name: Name) =>
    (value: Search[Name]) =>
      onSearch({ ...search, [name]: value });
  return (
    <Panel title="Find">
      <div class="fields">
        <Field
          label="Words"
          type="search"
          maxLength={100}
          value={search.query}
          onValue={set('query')}
        />
        <Choice
          label="Trades"
          value={search.type}
          options={[
            ['', 'anything'],
            ['stock', 'stocks'],
            ['cryptocurrency', 'coins'],
          ]}
          onValue={set('type')}
        />
        <Choice
          label="Price a month"
          value={search.maxPrice}
          options={[
            ['', 'any'],
            ['0', 'free'],
            ['15', 'up to $15'],
            ['30', 'up to $30'],
            ['100', 'up to $100'],
          ]}
          onValue={set('maxPrice')}
        />
        <Choice
          label="Largest drawdown"
          value={search.maxDrawdown}
          options={[
            ['', 'any'],
            ['0.05', 'up to 5%'],
            ['0.1', 'up to 10%'],
            ['0.2', 'up to 20%'],
            ['0.4', 'up to 40%'],
          ]}
          onValue={set('maxDrawdown')}
        />
        <Choice
          label="Age"
          value={search.minAge}
          options={[
            ['', 'any'],
            ['30', 'a month or more'],
            ['180', 'half a year or more'],
            ['365', 'a year or more'],
          ]}
          onValue={set('minAge')}
        />
        <Field
          label="Categories"
          maxLength={300}
          placeholder="trend, value"
          value={search.categories}
          onValue={set('categories')}
        />
        <Choice
          label="Prices"
          value={search.basis}
          options={[
            ['', 'as here now'],
            ['simulated', 'simulated'],
            ['supplied', 'supplied'],
            ['hypothetical', 'of real markets'],
          ]}
          onValue={set('basis')}
        />
        <Choice
          label="Figures of"
          value={search.timeframe}
          options={TIMEFRAMES}
          onValue={set('timeframe')}
        />
        <Choice label="First" value={search.sort} options={SORTS} onValue={set('sort')} />
      </div>
    </Panel>
  );
}
