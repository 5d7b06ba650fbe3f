import { join } from 'node:path';
import { type Program, listening, runProgram } from '@slipstream/server/testing';

const START_WITHIN = 20_000;

/** The operator's token of every tortured server. */
export const OPERATOR = 'operator-token-of-the-torture';

/** A database and the settings of its servers. */
export interface Place {
  readonly folder: string;
  /** The database file. */
  readonly file: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The module of `--with` that replaces the database. */
  readonly adapters: string | undefined;
}

/** The arguments that start the server of a place. */
export const serveArgs = ({ adapters }: Pick<Place, 'adapters'>): string[] =>
  adapters === undefined ? ['serve'] : ['serve', '--with', adapters];

/** A place in `folder`; its database is `file`. */
export const placeIn = (
  folder: string,
  file = join(folder, 'data/slipstream.db'),
  adapters?: string,
): Place => ({
  folder,
  file,
  adapters,
  environment: {
    PORT: '0',
    MARKET: 'push',
    TRADING_HOURS: 'always',
    OPERATOR_TOKEN: OPERATOR,
    LOG_LEVEL: 'warn',
    QUOTE_FRESH_SECONDS: '86400',
    RATE_LIMITS: 'reads=10000000,writes=10000000,alerts=10000000,failures=10000000',
    CONNECTION_LIMITS: 'address=20000,user=10000,anonymous=5000',
    DATABASE_URL: `sqlite:${file}`,
  },
});

export interface Server extends Program {
  readonly url: string;
  /** Milliseconds from the start of the process until it listened. */
  readonly startedIn: number;
}

/** Starts the server of a place and waits until it listens. */
export async function serve(place: Place): Promise<Server> {
  const begun = performance.now();
  const program = runProgram(place.folder, serveArgs(place), place.environment);
  const late = setTimeout(() => program.process.kill('SIGKILL'), START_WITHIN);
  try {
    const url = await listening(program);
    return { ...program, url, startedIn: performance.now() - begun };
  } finally {
    clearTimeout(late);
  }
}
