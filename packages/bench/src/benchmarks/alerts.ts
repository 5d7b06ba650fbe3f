import {
  type Benchmark,
  type Gate,
  type Line,
  type Sample,
  benchmark,
  ratioAtLeast,
  ratioAtMost,
} from '../measure/benchmark.js';
import { type AlertLoad, type AlertServer, alertTrial, ownBaseline } from './alert-trial.js';
import { startFlask } from '../flask.js';

type Round = { readonly product: AlertLoad; readonly baseline: AlertLoad };
type Measured = Omit<Line, 'benchmark'> & { readonly sample: (round: Round) => Sample };

const EXPRESS = 'stock express 5, one FULL transaction a request';

const cpu = ({ product, baseline }: Round): Pick<Sample, 'cpu'> =>
  product.cpuPerAlert === undefined
    ? {}
    : {
        cpu: {
          figure: product.cpuPerAlert,
          ...(baseline.cpuPerAlert !== undefined && { baseline: baseline.cpuPerAlert }),
        },
      };

const rate = (what: string, baseline: string, gate: Gate): Measured => ({
  what,
  baseline,
  gate,
  sample: (round) => ({ figure: round.product.rate, baseline: round.baseline.rate, ...cpu(round) }),
});

const latency = (which: 'p50' | 'p99', what: string, baseline: string, gate: Gate): Measured => ({
  what,
  baseline,
  gate,
  sample: ({ product, baseline: other }) => ({ figure: product[which], baseline: other[which] }),
});

function alertBenchmark(
  id: string,
  measured: readonly Measured[],
  connections: number,
  start: Parameters<typeof alertTrial>[2],
  writesTheSame: boolean,
): Benchmark {
  return benchmark(
    id,
    measured.map(({ sample: _, ...line }) => line),
    async (scale) => {
      const trial = await alertTrial(scale, connections, start);
      let rows = '';
      return {
        async round(number) {
          const both = await trial.round(number);
          if (writesTheSame) rows = `${id}: ${trial.rows()}`;
          return measured.map(({ sample }) => sample(both));
        },
        notes: () => (rows === '' ? [] : [rows]),
        close: trial.close,
      };
    },
  );
}

const flask = async (folder: { file(name: string): string }): Promise<AlertServer> => {
  const file = folder.file('flask.db');
  return { file, ...(await startFlask(file)) };
};

/** `POST /newOrderWebhook`, answered 200 and durable, on the complete server with inbox, authentication and validation. */
export const alertBenchmarks: readonly Benchmark[] = [
  alertBenchmark(
    'P1',
    [
      rate('alerts a second, 64 connections', EXPRESS, ratioAtLeast(3)),
      latency('p99', 'p99 of an alert in ms, 64 connections', EXPRESS, ratioAtMost(1)),
    ],
    64,
    ownBaseline('express-alerts'),
    true,
  ),
  alertBenchmark(
    'P2',
    [latency('p50', 'p50 of an alert in ms, 1 connection', EXPRESS, ratioAtMost(1.4))],
    1,
    ownBaseline('express-alerts'),
    false,
  ),
  alertBenchmark(
    'P3',
    [
      rate(
        'alerts a second, 64 connections',
        'fastify 5, group commit FULL, the same SQL',
        ratioAtLeast(0.4),
      ),
    ],
    64,
    ownBaseline('fastify-alerts'),
    false,
  ),
  alertBenchmark(
    'P4',
    [
      rate(
        'alerts a second, 64 connections',
        'Flask + SQLite as it comes: accept and persist, nothing else',
        ratioAtLeast(8),
      ),
    ],
    64,
    flask,
    false,
  ),
];
