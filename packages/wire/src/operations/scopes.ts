import { type Rows, rows } from './rows.js';

/** A scope that a token can have. */
export type Scope = '*' | 'verifyToken' | 'newToken' | Exclude<Rows[keyof Rows]['scope'], null>;

const inRows = Object.values(rows).flatMap(({ scope }) => scope ?? []);

/** `*` for all, and the scopes of the operations in the order of the table. verifyToken accepts any token; older tokens name it. */
export const SCOPES: readonly Scope[] = [
  ...new Set<Scope>(['*', 'verifyToken', 'newToken', ...inRows]),
];
