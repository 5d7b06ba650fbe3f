import { type Decimal, decimal } from '@slipstream/domain';

export type Stored = string | number | null;

/** The conversion of a field to its column and back. */
export interface Codec<Value, Kept extends Stored = Stored> {
  store(value: Value): Kept;
  load(kept: Kept): Value;
}

export const text = <Value extends string>(): Codec<Value, string> => ({
  store: (value) => value,
  load: (kept) => kept as Value,
});

export const integer: Codec<number, number> = { store: (value) => value, load: (kept) => kept };

export const flag: Codec<boolean, number> = {
  store: (value) => (value ? 1 : 0),
  load: (kept) => kept === 1,
};

/** Plain notation, every digit: SQLite's own numbers are binary floats. */
export const decimalAsText: Codec<Decimal, string> = {
  store: (value) => value.toFixed(),
  load: decimal,
};

/** Small lists and records of texts. */
export const json = <Value>(): Codec<Value, string> => ({
  store: (value) => JSON.stringify(value),
  load: (kept) => JSON.parse(kept) as Value,
});

/** The same where a row may have been changed in the database: `changed` stands for what is no JSON, or not such a value. */
export const checkedJson = <Value>(
  isValue: (parsed: unknown) => parsed is Value,
  changed: Value,
): Codec<Value, string> => ({
  store: (value) => JSON.stringify(value),
  load: (kept) => {
    try {
      const parsed: unknown = JSON.parse(kept);
      return isValue(parsed) ? parsed : changed;
    } catch {
      return changed;
    }
  },
});

export const nullable = <Value, Kept extends Stored>(
  codec: Codec<Value, Kept>,
): Codec<Value | null, Kept | null> => ({
  store: (value) => (value === null ? null : codec.store(value)),
  load: (kept) => (kept === null ? null : codec.load(kept)),
});

type Snake<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? Head extends Lowercase<Head>
    ? `${Head}${Snake<Tail>}`
    : `_${Lowercase<Head>}${Snake<Tail>}`
  : '';

type Fields<Entity> = { readonly [Name in keyof Entity]-?: Codec<Entity[Name]> };

/** The row of a table whose columns are an entity's fields, in snake_case. */
export type RowOf<Shape> =
  Shape extends Columns<unknown, infer Kept>
    ? {
        readonly [Name in keyof Kept & string as Snake<Name>]: Kept[Name] extends {
          store(value: never): infer Value;
        }
          ? Value
          : never;
      }
    : never;

/** The columns of an entity that is stored field by field. */
export interface Columns<Entity, Kept = Fields<Entity>> {
  readonly names: readonly string[];
  readonly fields: Kept;
  /** In the order of `names`. */
  store(entity: Entity): Stored[];
  /** The fields at these places in `names`. */
  storeSome(entity: Entity, places: readonly number[]): Stored[];
  /** The places in `names` of the fields that are not the very same in both. */
  differing(before: Entity, after: Entity): number[];
  load(row: object): Entity;
}

const snake = (name: string): string =>
  name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);

/** States the codec of every field of an entity; a missing field does not compile. */
export const columnsOf =
  <Entity>() =>
  <Kept extends Fields<Entity>>(fields: Kept): Columns<Entity, Kept> => {
    const list = Object.entries<Codec<unknown>>(fields as Record<string, Codec<unknown>>).map(
      ([field, codec]) => ({ field, name: snake(field), codec }),
    );
    // An object that JSON makes has its fields inside; one that gets many of them later becomes a table of seven times the size.
    const blank = JSON.parse(
      JSON.stringify(Object.fromEntries(list.map(({ field }) => [field, null]))),
    ) as Record<string, unknown>;
    return {
      names: list.map(({ name }) => name),
      fields,
      store: (entity) => {
        const stored: Stored[] = [];
        for (const { field, codec } of list)
          stored.push(codec.store((entity as Record<string, unknown>)[field]));
        return stored;
      },
      storeSome: (entity, places) =>
        places.map((place) => {
          const { field, codec } = list[place] as (typeof list)[number];
          return codec.store((entity as Record<string, unknown>)[field]);
        }),
      differing: (before, after) => {
        const [one, other] = [before, after] as Record<string, unknown>[];
        const places: number[] = [];
        let place = 0;
        for (const { field } of list) {
          if (one?.[field] !== other?.[field]) places.push(place);
          place += 1;
        }
        return places;
      },
      load: (row) => {
        const entity = { ...blank };
        for (const { field, name, codec } of list)
          entity[field] = codec.load((row as Record<string, Stored>)[name] ?? null);
        return entity as Entity;
      },
    };
  };
