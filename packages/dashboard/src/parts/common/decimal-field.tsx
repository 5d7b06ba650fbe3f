import type { ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import { decimalTyped } from '../../figures/typed-decimal.js';
import { Field } from './form.js';

/** A field that gives decimals as the service takes them, and keeps what the reader typed. The browser refuses what is none. */
export function DecimalField(props: ComponentProps<typeof Field>) {
  const {
    pattern = String.raw`[-+]?(\d+\.?\d*|\.\d+)`,
    inputMode = 'decimal',
    title = 'A number, as 1000.50 or 0.5. “1,000” may mean two: write 1000 or 1.0.',
    value,
    onValue,
    ...rest
  } = props;
  const [typed, setTyped] = useState('');
  const isDecimal = new RegExp(`^(${pattern})$`).test(value);
  return (
    <Field
      {...rest}
      inputMode={inputMode}
      title={isDecimal ? '' : title}
      // All or nothing: the text is judged by what it means.
      pattern={isDecimal ? '.*' : '(?!)'}
      value={value !== '' && decimalTyped(typed) === value ? typed : value}
      onValue={(text) => {
        setTyped(text);
        onValue(decimalTyped(text));
      }}
    />
  );
}

/** A field takes whole numbers alone: a text that is none would become nothing on its way. */
export const WHOLE = {
  inputMode: 'numeric',
  pattern: '\\s*\\d+\\s*',
  title: 'A whole number, without commas or words.',
} as const;
