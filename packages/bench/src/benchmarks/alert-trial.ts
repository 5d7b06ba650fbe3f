import type { Scale } from '../measure/benchmark.js';
import { alertRows, makeAlertDatabase } from '../baselines/alert-database.js';
import { type Folder, newFolder } from '../folder.js';
import { type Program, startProgram } from '../program.js';
import type { HttpLoad, HttpLoadResult } from '../programs/http-load.js';
import type { ProductFacts, ProductOptions } from '../programs/product-server.js';
import { alertsOf } from '../requests.js';

/** A server that takes alerts. */
export interface AlertServer {
  readonly port: number;
  /** CPU time so far in microseconds; undefined if it cannot be read. */
  cpu?(): Promise<number>;
  end(): Promise<void>;
  /** Its database. */
  readonly file: string;
}

/** The result of a load, with the server's CPU time for each answer. */
export interface AlertLoad extends HttpLoadResult {
  readonly rate: number;
  readonly cpuPerAlert: number | undefined;
}

/** The complete product, one baseline and the load, each in its own process. */
export interface AlertTrial {
  /** Sends the same load to both, one after the other; the order changes with each round. */
  round(number: number): Promise<{ readonly product: AlertLoad; readonly baseline: AlertLoad }>;
  /** The rows that one alert writes on each side: they should be the same. */
  rows(): string;
  close(): Promise<void>;
}

type StartBaseline = (folder: Folder, facts: ProductFacts) => Promise<AlertServer>;

/** Starts a baseline of this package, over a database with the frozen schema and the product's strategies. */
export const ownBaseline =
  (program: string): StartBaseline =>
  async (folder, { token, strategyIds }) => {
    const file = folder.file(`${program}.db`);
    makeAlertDatabase(file, token, strategyIds);
    const started = await startProgram(program, file);
    return { file, port: await started.ask('port'), cpu: started.cpu, end: started.end };
  };

const STRATEGIES = 512;

export async function alertTrial(
  { quick }: Scale,
  connections: number,
  startBaseline: StartBaseline,
): Promise<AlertTrial> {
  const folder = newFolder();
  const file = folder.file('product.db');
  const ended: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of ended.reverse()) await end();
    folder.remove();
  };
  try {
    const options: ProductOptions = { file, strategies: STRATEGIES };
    const program = await startProgram('product-server', JSON.stringify(options));
    ended.push(program.end);
    const facts = await program.ask<ProductFacts>('facts');
    const product: AlertServer = { file, port: facts.port, cpu: program.cpu, end: program.end };
    const baseline = await startBaseline(folder, facts);
    ended.push(baseline.end);
    const load = await startProgram('http-load');
    ended.push(load.end);
    const alerts = alertsOf(connections, facts.strategyIds, facts.token);
    const answered = { product: 0, baseline: 0 };

    const on = async (whose: 'product' | 'baseline', seconds: number): Promise<AlertLoad> => {
      const result = await loadOn(whose === 'product' ? product : baseline, load, alerts, seconds);
      answered[whose] += result.answered;
      return result;
    };
    for (const whose of ['product', 'baseline'] as const) await on(whose, quick ? 0.5 : 2);

    return {
      async round(number) {
        const seconds = quick ? 1 : 5;
        if (number % 2 === 0) {
          const first = await on('baseline', seconds);
          return { baseline: first, product: await on('product', seconds) };
        }
        const first = await on('product', seconds);
        return { product: first, baseline: await on('baseline', seconds) };
      },
      rows: () =>
        `rows left by an alert: product ${perAlert(file, answered.product)}; baseline ${perAlert(baseline.file, answered.baseline)}`,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function loadOn(
  server: AlertServer,
  load: Program,
  connections: HttpLoad['connections'],
  seconds: number,
): Promise<AlertLoad> {
  const before = await server.cpu?.();
  const result = await load.ask<HttpLoadResult>('run', { port: server.port, seconds, connections });
  const after = await server.cpu?.();
  if (result.refused > 0) throw new Error(`${result.refused} refused: ${result.firstRefusal}`);
  return {
    ...result,
    rate: result.answered / result.seconds,
    cpuPerAlert:
      before === undefined || after === undefined ? undefined : (after - before) / result.answered,
  };
}

const perAlert = (file: string, answered: number): string =>
  Object.entries(alertRows(file))
    .map(([table, rows]) => `${(rows / answered).toFixed(2)} ${table}`)
    .join(', ');
