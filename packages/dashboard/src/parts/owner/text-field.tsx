/** A field of several lines. */
export function TextField(props: {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly rows: number;
  readonly maxLength: number;
  readonly required?: boolean;
}) {
  const { label, onValue, ...rest } = props;
  return (
    <label class="field">
      <span>{label}</span>
      <textarea {...rest} onInput={(event) => onValue(event.currentTarget.value)} />
    </label>
  );
}
