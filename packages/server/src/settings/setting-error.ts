/** A setting that cannot be used; the message names it. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

/** The master key is not the one that encrypted the secrets of the storage. */
export class OtherMasterKey extends SettingError {}
