/** Whether the reader's own language puts points between thousands, as pages then do. */
const POINTS = (1e6).toLocaleString().includes('.');

const GROUPED = /^[-+]?[1-9]\d{0,2}(,\d{3})+(,\d{3}|\.\d*)$/;

/**
 * A decimal as readers type it, with a comma or a point, as the service takes it. A text that may mean two numbers, as `1,000`,
 * comes back with its comma: no decimal. So does `1.000` where points stand between thousands.
 */
export function decimalTyped(typed: string, hasPoints = POINTS): string {
  const text = typed.trim();
  const swapped = text.replace(/[.,]/g, (mark) => (mark === ',' ? '.' : ','));
  const grouped = [text, swapped].find((one) => GROUPED.test(one));
  if (grouped !== undefined) return grouped.replaceAll(',', '');
  if (!/^[-+]?[1-9]\d{0,2}[.,]\d{3}$/.test(text)) return text.replace(',', '.');
  return hasPoints ? text.replace('.', ',') : text;
}
