import { trigger } from './triggers.js';

const add = (name: string, count: string): string =>
  `INSERT INTO counts VALUES (${name}, ${count})
    ON CONFLICT (name) DO UPDATE SET count = counts.count + excluded.count;`;

/** Counts the rows of a table for which `is` holds. */
const counting = (
  name: string,
  table: string,
  column: string,
  is: (row: 'NEW' | 'OLD') => string,
): string => `
${trigger(`counts_new_${table}`, 'AFTER INSERT', table, add(`'${name}'`, '1'), is('NEW'))}
${trigger(
  `counts_${table}`,
  `AFTER UPDATE OF ${column}`,
  table,
  add(`'${name}'`, `(${is('NEW')})::int - (${is('OLD')})::int`),
  `(${is('NEW')}) <> (${is('OLD')})`,
)}
${trigger(`counts_old_${table}`, 'AFTER DELETE', table, add(`'${name}'`, '-1'), is('OLD'))}`;

const isLive = (row: string): string => `${row}.deleted_at IS NULL`;
const hasFailed = (row: string): string => `${row}.status = 'failed'`;

/** Counts over all users. Triggers keep them, so that no write can omit one and no read has to count. */
export const countsIn = `
CREATE TABLE counts (name TEXT COLLATE "C" PRIMARY KEY, count BIGINT NOT NULL);
INSERT INTO counts VALUES ('users', 0), ('strategies', 0), ('failed_mails', 0), ('failed_payments', 0);
${counting('users', 'users', 'deleted_at', isLive)}
${counting('strategies', 'strategies', 'deleted_at', isLive)}
${counting('failed_mails', 'mails', 'failure', (row) => `${row}.failure IS NOT NULL`)}
${counting('failed_payments', 'invoices', 'status', hasFailed)}
${counting('failed_payments', 'withdrawals', 'status', hasFailed)}
${trigger('counts_new_bots', 'AFTER INSERT', 'bots', add(`'bots ' || NEW.status`, '1'))}
${trigger(
  'counts_bots',
  'AFTER UPDATE OF status',
  'bots',
  `${add(`'bots ' || OLD.status`, '-1')} ${add(`'bots ' || NEW.status`, '1')}`,
  'NEW.status <> OLD.status',
)}
${trigger('counts_old_bots', 'AFTER DELETE', 'bots', add(`'bots ' || OLD.status`, '-1'))}
`;
