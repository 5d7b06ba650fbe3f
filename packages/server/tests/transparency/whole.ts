/** Whether the long story is played, after every step of which everybody asks, and fronts start; `npm run verify` does. */
export const IS_WHOLE = process.env['TRANSPARENCY'] === 'whole';
