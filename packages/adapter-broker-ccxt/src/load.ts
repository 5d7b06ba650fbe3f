/**
 * The part of ccxt that is used here: it signs and sends requests, and names errors and currencies. Its own types do not
 * compile strictly, and a program without ccxt has none of them.
 */
export interface CcxtExchange {
  milliseconds: () => number;
  nonce: () => number;
  proxiesModulesLoading: Promise<void>;
  safeCurrencyCode(name: string): string | undefined;
  /** Its endpoints too, by names that ccxt makes of their paths. */
  readonly [name: string]: unknown;
}

/** The classes of ccxt that are used here. */
export interface Ccxt {
  readonly kraken: new (config: object) => CcxtExchange;
  readonly coinbase: new (config: object) => CcxtExchange;
}

/** What is installed, unless it is there already. */
const INSTALL = 'npm install ccxt@4.5.84';

/** ccxt is not installed, or not the one that is meant. */
export class CcxtMissing extends Error {
  override readonly name = 'CcxtMissing';
  constructor() {
    super(`needs the package ccxt; it is not installed: ${INSTALL}`);
  }
}

const isCcxt = (found: unknown): found is Ccxt =>
  typeof found === 'object' &&
  found !== null &&
  'kraken' in found &&
  'coinbase' in found &&
  typeof found.kraken === 'function' &&
  typeof found.coinbase === 'function';

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';

/** The name stands in a variable: the compiler would ask for the types. */
const PACKAGE: string = 'ccxt';
const installed = (): Promise<unknown> => import(PACKAGE);

/**
 * Loads ccxt, which takes half a second and 80 MB: only who names one of its brokers pays for it.
 * @throws {CcxtMissing} with the command that installs it.
 */
export async function loadCcxt(load = installed): Promise<Ccxt> {
  const found = await load().catch((error: unknown) => {
    if (isMissing(error)) throw new CcxtMissing();
    throw error;
  });
  if (!isCcxt(found)) throw new CcxtMissing();
  return found;
}
