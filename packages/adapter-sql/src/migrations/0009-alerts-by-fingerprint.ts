export const alertsByFingerprint = 'DROP INDEX alerts_by_fingerprint';
