import { OPENING_COMMANDS } from './openings.js';
import type { Command, Fault, Manner, Step, Story } from './story.js';

const FAULTS: Readonly<Record<Fault['kind'], string>> = {
  crash_before: 'the process is killed before',
  crash_after: 'the process is killed right after',
  full: 'the disk is full at',
  rolled_back: 'the disk fails, and takes the transaction back, at',
  lost_request: 'the request gets lost at',
  lost_answer: 'the answer gets lost at',
  server_error: 'the broker answers 503 at',
  refused: 'the broker refuses access at',
  duplicated: 'the request arrives twice at',
  reject: 'the broker rejects at',
  partial: 'the broker fills half at',
  expire: 'the open orders expire before',
  rate_limited: 'the broker asks to slow down at',
  late: 'the request arrives when nobody waits any more at',
  garbled: 'the answer is a page of HTML at',
  truncated: 'the answer ends in the middle at',
  emptied: 'the answer has no fields at',
  hidden: 'an accepted order is not shown for a while after',
  crossed: 'the order ends as half of it is filled, which it tells later, at',
  slow: 'the answer takes longer than half a second at',
};

const MANNERS_IN_WORDS: Readonly<Record<Manner, string>> = {
  accepts_first: 'The broker accepts orders first and fills them later.',
  slow_cancel: 'The broker takes its time to cancel.',
  fee_in_asset: 'The broker takes the fee of a buy out of what is bought.',
  lends_whole: 'The broker lends whole shares only.',
};

const SITES: Readonly<Record<Fault['on'], string>> = {
  storage: 'statement',
  commit: 'commit',
  broker: 'broker call',
  place: 'broker order',
  payment: 'call of the payment gateway',
};

const asWords = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(asWords).join(', ')}]`
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
          .map(([name, part]) => `${name} ${asWords(part)}`)
          .join(' ')
      : String(value);

/** A command in one line. */
function commandInWords({ do: name, key, ...fields }: Command): string {
  const by = 'by' in fields && fields.by !== undefined ? `${fields.by}: ` : '';
  const rest = Object.entries(fields).filter(
    ([field, value]) => field !== 'by' && value !== undefined && value !== false && value !== null,
  );
  const details = rest.map(([field, value]) => `${field} ${asWords(value)}`).join(', ');
  return `${by}${name} ${details}${key === undefined ? '' : ` under key ${key}`}`.trim();
}

const faultInWords = ({ on, at, kind }: Fault): string => `${FAULTS[kind]} ${SITES[on]} ${at + 1}`;

function stepInWords({ commands, faults, order }: Step): string {
  const lines = [commands.map(commandInWords).join('\n   and at once ')];
  for (const fault of faults) lines.push(`   but ${faultInWords(fault)}`);
  if (order.length > 0) lines.push(`   the tasks go on in the order ${order.join(' ')}`);
  return lines.join('\n');
}

/** A story in sentences. Numbers that name a strategy, stock, order or bot are places in their lists, from 0. */
export function inWords({
  opening,
  reversed,
  carries,
  strictBroker,
  steps,
  manners,
  broker,
}: Story): string {
  const first = OPENING_COMMANDS[opening].map((command) => `-. ${commandInWords(command)}`);
  const numbered = steps.map((step, index) => `${index + 1}. ${stepInWords(step)}`);
  return [
    ...(broker === 'alpaca' ? ['The accounts are at Alpaca.'] : []),
    ...(reversed ? ['Unordered reads answer backwards.'] : []),
    ...(carries ? ['Commits are made while the next transactions are decided.'] : []),
    ...(strictBroker ? ['The broker takes whole shares only and crosses zero in two orders.'] : []),
    ...manners.map((manner) => MANNERS_IN_WORDS[manner]),
    ...first,
    ...numbered,
    'Then nothing fails any more, the markets open, and quotes come.',
  ].join('\n');
}
