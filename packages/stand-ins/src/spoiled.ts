/** What a field may become. */
const INSTEAD: readonly unknown[] = [undefined, '-1', '0', '1e30', {}];

/** A body with one of its fields spoiled, and which one. */
export interface SpoiledBody {
  readonly field: string;
  readonly body: unknown;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every body that differs from this one in one field: it is gone, of another kind, or has another value. Of a list, in its first row. */
export function* spoiledBodies(body: unknown, field = ''): Generator<SpoiledBody> {
  if (Array.isArray(body)) {
    const [row, ...more] = body as readonly unknown[];
    for (const one of spoiledBodies(row, `${field}[0]`))
      yield { ...one, body: [one.body, ...more] };
    return;
  }
  if (!isRecord(body)) return;
  for (const [name, value] of Object.entries(body)) {
    const inside = `${field}.${name}`;
    for (const other of INSTEAD)
      if (other !== value)
        yield { field: `${inside} ${JSON.stringify(other)}`, body: { ...body, [name]: other } };
    for (const one of spoiledBodies(value, inside))
      yield { ...one, body: { ...body, [name]: one.body } };
  }
}
