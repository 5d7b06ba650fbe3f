import { type Operation, type OperationName, operations, takesArray } from '@slipstream/wire';
import { type Fields, type Placeholder, namedIn, placeholders } from '../operations/table/scene.js';
import type { Known, PlayedWorld } from './played-world.js';

/** A request of a reader in every world; the label is the same in all of them. */
export interface Request {
  readonly name: OperationName;
  readonly label: string;
  fields(world: PlayedWorld): Fields;
}

/** Who asks, and what for. */
export interface Asker {
  readonly writes: boolean;
  /** Whether requests name what is unseen, too, and not the channels alone. */
  readonly probes: boolean;
  /** What the reader asks for by its id. */
  known(this: void, kind: Placeholder): readonly Known[];
  /** What the reader does not know of, by one id in every world. */
  unseen(this: void, kind: Placeholder): readonly Pick<Known, 'id' | 'label'>[];
  /** Whether a write would change what the others read, or what the reader may read. */
  mayChange(this: void, name: OperationName, label: string): boolean;
}

/** Operations that are not asked, each with its reason. No read is among them. */
export const NOT_ASKED: Readonly<Partial<Record<OperationName, string>>> = {
  newUser: 'it is of a new address (accounts/guesses.test.ts)',
  newSession: 'it takes a password (accounts/guesses.test.ts)',
  newPasswordReset: 'it is of an address (accounts/guesses.test.ts)',
  updatePassword: 'it takes a password',
  updateEmail: 'it takes a password',
  deleteUser: 'it takes a password',
  newTotp: 'it takes a password',
  confirmTotp: 'it is of the own second factor',
  deleteTotp: 'it takes a password',
  newWithdrawal: 'it takes a password',
  newEmailConfirmation: 'it is of the own address',
  confirmEmail: 'it takes a code that was mailed',
  updateUserInfo: 'it names nothing',
  updateUserNotifications: 'it names nothing',
  newStrategy: 'it names nothing',
  newPaymentSource: 'it names nothing',
  newConnection: 'it asks a broker that is not here',
  finishConnection: 'it asks a broker that is not here',
  commitPlan: 'it does what the reader prepared',
  deleteWithdrawal: 'a withdrawal takes a password (operations/operations-table.test.ts)',
  newAnchor: 'it is of the operator',
  undoStrategyEnd: 'it is of the operator',
  newStockAction: 'it is of the operator',
  newQuotes: 'it is of the operator',
  updateStocks: 'it is of the operator',
};

/** Kinds of things of which none is hidden from anybody, each with the section that says so. */
export const NEVER_HIDDEN: Readonly<Partial<Record<Placeholder, string>>> = {
  user: 'profiles are public (specification 2.2)',
  post: 'posts are public (docs/behaviour.md, Social)',
  stock: 'instruments are public (specification 2.5)',
  connection: 'it asks a broker that is not here',
};

const SEARCHES = ['one', 'other', 'secret', 'shut', 'turned'];
const ALL: Fields = { query: undefined, max_drawdown: undefined };

/** Requests whose answers depend on more than the ids in them. */
const MORE: Readonly<Partial<Record<OperationName, readonly Fields[]>>> = {
  getOrders: ['open', 'filled', 'cancelled', 'rejected'].map((order_status) => ({ order_status })),
  getTrackRecord: [{ proof: 'true' }, { proof: undefined, limit: '1' }],
  getStrategyStatistics: [{ benchmark: undefined }, { benchmark: undefined, format: 'csv' }],
  getStrategyHistory: [{ timeframe: 'all' }, { timeframe: 'day', format: 'csv' }],
  getInvoices: [{ status: undefined }, { status: undefined, limit: '1' }],
  findStrategies: [
    ALL,
    { ...ALL, mine: 'true' },
    { ...ALL, sort: 'followers' },
    { ...ALL, sort: 'popular', limit: '1' },
    ...SEARCHES.map((query) => ({ ...ALL, query })),
  ],
  getTimeline: [{}, { limit: '1' }],
  getNotifications: [{}, { limit: '1' }],
  getUserExport: [{}, { limit: '1' }],
  previewBot: [{}, { ...operations.newBot.example.request }],
  updateBot: [{}, { allocations: operations.newBot.example.request.allocations }],
  newEndpoint: [{ strategy_ids: [placeholders.strategy] }],
  haltTrading: [{ scope: 'bot', id: placeholders.bot }],
};

const rowOf = (name: OperationName): Operation => operations[name];
/** The fields of a request; those of its example where its schema is no plain object. */
const shapeOf = (name: OperationName): readonly string[] => {
  const { request, example } = rowOf(name);
  return Object.keys((request as { readonly shape?: object }).shape ?? (example.request as object));
};

/** What is named by a field: `bot_id` names a bot. */
const kindOf = (field: string): Placeholder | undefined => {
  const kind = field.replace(/_ids?$/, '');
  const isNamed = kind !== field && kind !== 'stock' && kind in placeholders;
  return isNamed ? (kind as Placeholder) : undefined;
};

interface Candidate {
  readonly label: string;
  /** Whether the reader does not know whether there is one. */
  readonly isUnseen: boolean;
  id(world: PlayedWorld): string;
}

const candidatesOf = (kind: Placeholder, { known, unseen, probes }: Asker): Candidate[] => [
  ...known(kind).map(({ label }) => ({
    label,
    isUnseen: false,
    id: (world: PlayedWorld) =>
      world.known.find((one) => one.kind === kind && one.label === label)?.id ?? '',
  })),
  ...(probes ? unseen(kind) : []).map(({ id, label }) => ({ label, isUnseen: true, id: () => id })),
];

const without = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Every request of a reader for an operation: as its example, and with each thing that it can name. */
export function requestsOf(name: OperationName, asker: Asker): Request[] {
  const row = rowOf(name);
  const isWrite = row.method === 'POST';
  if (isWrite && !asker.writes) return [];
  const example = row.example.request as Fields;
  const shape = shapeOf(name);
  const base = Object.fromEntries(
    Object.entries(example).filter(([field]) => kindOf(field) === undefined),
  );
  const requests: Request[] = [];
  for (const [place, more] of (MORE[name] ?? [{}]).entries()) {
    const plain = { ...base, ...more };
    const add = (label: string, changed: (world: PlayedWorld) => Fields): void =>
      void requests.push({
        name,
        label: `${name} ${place}${label}`,
        fields(world) {
          const now = { input_date: new Date(world.server.clock.now()).toISOString() };
          return without({ ...plain, ...('input_date' in plain && now), ...changed(world) });
        },
      });
    const named = (kind: Placeholder): Candidate[] =>
      candidatesOf(kind, asker).filter(({ label, isUnseen }) =>
        isUnseen ? place === 0 : !isWrite || !asker.mayChange(name, label),
      );
    if (!isWrite) add('', () => ({}));
    for (const field of shape) {
      const kind = kindOf(field);
      const isArray = takesArray(row, field) || field.endsWith('s');
      for (const { label, id } of kind ? named(kind) : [])
        add(` ${field} ${label}`, (world) => ({ [field]: isArray ? [id(world)] : id(world) }));
    }
    for (const kind of namedIn(plain).filter((one) => one !== 'stock'))
      for (const { label, id } of candidatesOf(kind, asker))
        if (!asker.mayChange(name, label))
          add(` within ${label}`, (world) => {
            const text = JSON.stringify(plain).replaceAll(placeholders[kind], id(world));
            return JSON.parse(text) as Fields;
          });
    for (const kind of shape.includes('cursor') ? cursorsOf(name) : [])
      for (const { label, id } of named(kind).filter(({ isUnseen }) => isUnseen))
        add(` after the ${kind} ${label}`, (world) => ({ cursor: id(world) }));
  }
  return requests;
}

/** The kinds of which a list is, by its name: `getTokens` is of tokens. */
const cursorsOf = (name: OperationName): Placeholder[] =>
  (Object.keys(placeholders) as Placeholder[]).filter((kind) =>
    name.toLowerCase().endsWith(`${kind.replace(/y$/, 'ie')}s`),
  );

/** The kinds of thing that an operation can name. */
export const kindsNamedBy = (name: OperationName): Placeholder[] => [
  ...shapeOf(name).flatMap((field) => kindOf(field) ?? []),
  ...(MORE[name] ?? [{}]).flatMap((more) =>
    namedIn({ ...(rowOf(name).example.request as Fields), ...more }),
  ),
];
