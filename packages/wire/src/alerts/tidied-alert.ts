/** Fields that count as absent if a template left them empty; an empty leverage is refused, because it would mean 1. */
const MAY_BE_EMPTY = ['market_position', 'alert_id'];

/** Whether a template left a placeholder in the text. Read once from left to right: anybody may send it, before a token is looked at. */
function hasPlaceholder(text: string): boolean {
  const opens = text.indexOf('{{');
  return opens >= 0 && text.includes('}}', opens + 2);
}

/** An `alert_id` with a placeholder that the platform left as it is: every alert would have the same one, and be a repeat of the first. */
const isUnfilledId = (name: string, value: unknown): boolean =>
  name === 'alert_id' && typeof value === 'string' && hasPlaceholder(value);

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
