import { type SecretBox, SecretUnreadable } from '@slipstream/ports';

/** The plain text; undefined when no key opens it any more: the master key was lost. */
export function openedIfReadable(
  secretBox: Pick<SecretBox, 'open'>,
  sealed: string,
  context: string,
): string | undefined {
  try {
    return secretBox.open(sealed, context);
  } catch (error) {
    if (error instanceof SecretUnreadable) return undefined;
    throw error;
  }
}
