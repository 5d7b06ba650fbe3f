/** A form as it is meant: `metadata[key]=1` is `{ metadata: { key: '1' } }`. */
export interface Fields {
  readonly [name: string]: string | Fields;
}

export function fieldsOf(text: string): Fields {
  const fields: Record<string, string | Record<string, string>> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const [, outer, inner] = /^(\w+)\[(\w+)\]$/.exec(name) ?? [];
    if (outer === undefined || inner === undefined) fields[name] = value;
    else
      fields[outer] = { ...(fields[outer] as Record<string, string> | undefined), [inner]: value };
  }
  return fields;
}
