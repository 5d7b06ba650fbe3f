import type { SourceHealth } from '@slipstream/ports';
import { Counter, Gauge, type Registry } from 'prom-client';

/** Metrics of the sources of quotes, by their names. */
export function sourceMetrics(registry: Registry, sources: () => readonly SourceHealth[]): void {
  const gauge = (
    name: string,
    help: string,
    figureOf: (source: SourceHealth) => number | undefined,
  ): void => {
    new Gauge({
      name: `slipstream_feed_${name}`,
      help,
      labelNames: ['source'],
      registers: [registry],
      collect() {
        for (const source of sources()) {
          const figure = figureOf(source);
          if (figure !== undefined) this.set({ source: source.name }, figure);
        }
      },
    });
  };
  gauge('age_seconds', 'Seconds since a source of quotes last told anything', ({ age }) =>
    age === null ? undefined : age / 1_000,
  );
  gauge('healthy', 'Whether the quotes of a source stand: 1 or 0', ({ healthy }) =>
    Number(healthy),
  );
  new Counter({
    name: 'slipstream_feed_reconnects_total',
    help: 'Connections of a source that were replaced since the start',
    labelNames: ['source'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { name: source, reconnects } of sources()) this.inc({ source }, reconnects);
    },
  });
  new Counter({
    name: 'slipstream_feed_drops_total',
    help: 'Quotes of a source that were not taken since the start, by reason',
    labelNames: ['source', 'reason'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { name: source, drops } of sources())
        for (const [reason, count] of Object.entries(drops)) this.inc({ source, reason }, count);
    },
  });
}
