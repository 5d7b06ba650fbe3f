/** The token of an Authorization header: `Bearer <token>` or the bare token (contract 1); undefined when there is none. */
export function tokenOf(header: string | undefined): string | undefined {
  const text = header?.trim();
  if (text === undefined || text === '') return undefined;
  return /^bearer +(\S.*)$/i.exec(text)?.[1] ?? text;
}
