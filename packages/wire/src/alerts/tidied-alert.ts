/** Fields that count as absent if a template left them empty; an empty leverage is refused, because it would mean 1. */
const MAY_BE_EMPTY = ['market_position', 'alert_id'];

/** An `alert_id` with a placeholder that the platform left as it is: every alert would have the same one, and be a repeat of the first. */
const isUnfilledId = (name: string, value: unknown): boolean =>
  name === 'alert_id' && typeof value === 'string' && /\{\{.*\}\}/s.test(value);

/** The fields of an alert without the blanks that templates leave, and without placeholders that were not filled. */
export function tidiedAlert(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(body)) {
    const value = typeof given === 'string' ? given.trim() : given;
    const isEmpty = value === '' || value === null || isUnfilledId(name, value);
    if (!isEmpty || !MAY_BE_EMPTY.includes(name)) fields[name] = value;
  }
  return fields;
}
