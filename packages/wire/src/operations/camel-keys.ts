import type { z } from 'zod';

/** The name in camel case. */
export type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

/** The fields with other names. */
export type Renames<Fields> = { readonly [Name in keyof Fields]?: string };

/** The fields under the application's names: in camel case, or as in `Renamed`. */
export type CamelKeys<Fields, Renamed = unknown> = {
  readonly [
    Name in keyof Fields as Name extends keyof Renamed
      ? Renamed[Name] & string
      : Name extends string
        ? Camel<Name>
        : never
  ]: Fields[Name];
};

/** The name in camel case. */
export const camel = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * Makes a function that renames the fields of the schema to the application's names: in camel case, or as in `renames`. The
 * names are computed once; a field that was not sent is undefined.
 */
export function camelKeys<
  Shape extends z.core.$ZodLooseShape,
  const Renamed extends Renames<Shape> = Record<never, never>,
>(
  schema: z.ZodObject<Shape>,
  renames?: Renamed,
): (fields: z.output<z.ZodObject<Shape>>) => CamelKeys<z.output<z.ZodObject<Shape>>, Renamed> {
  const names = Object.keys(schema.shape).map(
    (name) => [name, (renames as Renames<Shape> | undefined)?.[name] ?? camel(name)] as const,
  );
  return (fields) => {
    const given = fields as Readonly<Record<string, unknown>>;
    const named: Record<string, unknown> = {};
    for (const [name, renamed] of names) named[renamed] = given[name];
    return named as CamelKeys<typeof fields, Renamed>;
  };
}
