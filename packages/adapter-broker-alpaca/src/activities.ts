import { type AccountActivity, type ActivityKind, type Security, ZERO } from '@slipstream/domain';
import { BrokerUnreachable, type Instruments } from '@slipstream/ports';
import type { ActivityAnswer } from './answers.js';
import type { AlpacaApi } from './api.js';
import { CLASS_OF, stocksNamed, unlistedId } from './identity.js';

/** What Alpaca's words for an activity mean. `other` explains nothing: options, and what this table does not have. */
const KINDS: Readonly<Record<string, ActivityKind>> = {
  ACATC: 'transfer',
  ACATS: 'transfer',
  CSD: 'transfer',
  CSW: 'transfer',
  FOPT: 'transfer',
  JNL: 'transfer',
  JNLC: 'transfer',
  JNLS: 'transfer',
  OCT: 'transfer',
  CGD: 'income',
  CIL: 'income',
  DIV: 'income',
  DIVCGL: 'income',
  DIVCGS: 'income',
  DIVFT: 'income',
  DIVNRA: 'income',
  DIVROC: 'income',
  DIVTW: 'income',
  DIVTXEX: 'income',
  DIVWH: 'income',
  INT: 'income',
  INTNRA: 'income',
  INTTW: 'income',
  PTR: 'income',
  CFEE: 'fee',
  DIVFEE: 'fee',
  FEE: 'fee',
  PTC: 'fee',
  MEM: 'fee',
  MA: 'exchange',
  NC: 'exchange',
  REO: 'exchange',
  REORG: 'exchange',
  SC: 'exchange',
  SPLIT: 'split',
  SSP: 'split',
};

const DAY = 86_400_000;
/** A day of New York ends at most so long after its midnight at UTC began. */
const DAY_ENDS = DAY + 5 * 3_600_000;
/** The days of activities are those of their settlement, which may lie before they were booked. */
const BACKDATED = 7 * DAY;

const PAGE = 100;
/** Ten days of the fees of orders in coins, each of which is one: a bot of real money may send 200 a day, and others trade too. */
const MOST_PAGES = 50;

function bookedAt({ created_at: createdAt, date }: ActivityAnswer): number {
  const at = createdAt ? Date.parse(createdAt) : Date.parse(date ?? '') + DAY_ENDS;
  if (Number.isFinite(at)) return at;
  throw new BrokerUnreachable('Alpaca reports an activity without its time');
}

function activityOf(
  answer: ActivityAnswer,
  instruments: Instruments,
  type: Security,
): AccountActivity {
  const { id, activity_type: name, activity_sub_type: subType, symbol, currency } = answer;
  const isInDollars = !currency || currency === 'USD';
  const kind = isInDollars ? (KINDS[name] ?? 'other') : 'other';
  const named = symbol ? { asset_class: CLASS_OF[type], symbol } : undefined;
  const [stock, ...more] = named ? stocksNamed(instruments, named) : [];
  const stockId = stock && more.length === 0 ? stock.id : named ? unlistedId(named) : null;
  return {
    id,
    at: bookedAt(answer),
    kind,
    name: subType ? `${name}.${subType}` : name,
    cash: answer.net_amount ?? ZERO,
    stockId,
    // Of a dividend it is the number of shares that it was paid on.
    amount: kind === 'transfer' || kind === 'exchange' ? (answer.qty ?? ZERO) : ZERO,
  };
}

/** What the account was told of by a report before, and what takes it back. Other kinds only explain changes that are there. */
const TAKEN_BACK: readonly ActivityKind[] = ['transfer', 'income'];

/** One that was cancelled may have been reported, and in the account, before that. */
function reportedAs(activity: AccountActivity, isCancelled: boolean): readonly AccountActivity[] {
  if (!isCancelled) return [activity];
  const { id, cash, amount, kind } = activity;
  const [back, less] = [ZERO.minus(cash), ZERO.minus(amount)];
  const takesBack = { ...activity, id: `${id} cancelled`, cash: back, amount: less };
  return TAKEN_BACK.includes(kind) ? [activity, takesBack] : [];
}

/** Everything that Alpaca booked since then beside trades, page by page, the newest first. */
export async function readActivities(
  api: AlpacaApi,
  instruments: Instruments,
  type: Security,
  since: number,
): Promise<readonly AccountActivity[]> {
  const after = new Date(since - BACKDATED);
  const found = new Map<string, AccountActivity>();
  let last: string | undefined;
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const answers = await api.activities({ after, pageSize: PAGE, pageToken: last });
    for (const answer of answers) {
      const activity = activityOf(answer, instruments, type);
      for (const one of reportedAs(activity, answer.status === 'canceled')) found.set(one.id, one);
    }
    const end = answers.at(-1)?.id;
    if (answers.length < PAGE || end === undefined)
      return [...found.values()].filter(({ at }) => at >= since);
    if (end === last) break;
    last = end;
  }
  throw new BrokerUnreachable('Alpaca reports more activities than are read');
}
