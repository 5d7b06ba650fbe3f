export * from './access-tokens.js';
export * from './fingerprints.js';
export * from './ids.js';
export * from './one-time-passwords.js';
export * from './passwords.js';
export * from './secret-box.js';
