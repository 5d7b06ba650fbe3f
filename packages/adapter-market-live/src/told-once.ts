import type { Log } from '@slipstream/ports';

/** Warns about symbols of a source in that sentence, once about each of them. */
export function toldOnce(
  log: Pick<Log, 'warn'>,
  source: string,
  sentence: string,
): (symbols: readonly string[]) => void {
  const told = new Set<string>();
  return (symbols) => {
    const fresh = symbols.filter((symbol) => !told.has(symbol));
    for (const symbol of fresh) told.add(symbol);
    if (fresh.length > 0) log.warn({ source, symbols: fresh }, sentence);
  };
}
