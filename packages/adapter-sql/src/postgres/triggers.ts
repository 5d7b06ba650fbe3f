/** What happens with a row. */
type Moment = 'INSERT' | 'UPDATE' | 'DELETE' | `UPDATE OF ${string}`;

/** A trigger for each row, with its function: `when` and `body` are PL/pgSQL. */
export function trigger(
  name: string,
  at: `${'BEFORE' | 'AFTER'} ${Moment}`,
  table: string,
  body: string,
  when = 'true',
): string {
  // The row itself, so that a trigger before a change does not stop it.
  const row = at.endsWith('DELETE') ? 'OLD' : 'NEW';
  return `
CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  ${body}
  RETURN ${row};
END $$;
CREATE TRIGGER ${name} ${at} ON ${table} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION ${name}();`;
}

/** A trigger that refuses the change, with that message. */
export const refusal = (
  name: string,
  at: `BEFORE ${'INSERT' | 'UPDATE' | 'DELETE'}`,
  table: string,
  message: string,
  condition = 'true',
): string => trigger(name, at, table, `IF ${condition} THEN RAISE EXCEPTION '${message}'; END IF;`);

/** A trigger that refuses to remove all rows at once, with that message: those for each row are not asked then. */
export const noTruncation = (table: string, message: string): string => `
CREATE FUNCTION ${table}_survive() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION '${message}'; END $$;
CREATE TRIGGER ${table}_survive BEFORE TRUNCATE ON ${table} EXECUTE FUNCTION ${table}_survive();`;
