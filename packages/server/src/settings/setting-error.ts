/** A setting that cannot be used; the message names it. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}
