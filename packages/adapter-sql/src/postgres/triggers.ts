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
