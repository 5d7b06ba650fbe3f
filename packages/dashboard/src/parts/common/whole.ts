/** A field takes whole numbers alone: a text that is none would become nothing on its way. */
export const WHOLE = {
  inputMode: 'numeric',
  pattern: '\\s*\\d+\\s*',
  title: 'A whole number, without commas or words.',
} as const;
