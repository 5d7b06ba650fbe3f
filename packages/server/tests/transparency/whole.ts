/** Whether the long story is played, after every step of which everybody asks, and fronts start: that takes ten minutes and more. */
export const IS_WHOLE = process.env['TRANSPARENCY'] === 'whole';
