/** Bytes of which each place can be told. */
export const filling = (bytes: number): string =>
  Array.from({ length: Math.ceil(bytes / 8) }, (_, at) => String(at).padStart(7, '0')).join(' ');
