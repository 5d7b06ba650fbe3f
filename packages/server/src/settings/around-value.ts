/** Whether quotes are around a value. */
export const isQuoted = (value: string): boolean => /^(["']).*\1$/s.test(value);

/** What a file of settings left around a value, for the end of a complaint about it; '' if nothing. The value is not repeated. */
export function aroundValue(value: string): string {
  if (value.endsWith('\r')) return '; there is a carriage return (a Windows line end) behind it';
  if (value !== value.trim()) return '; there is white space before or behind it';
  return isQuoted(value) ? '; there are quotes around it' : '';
}
