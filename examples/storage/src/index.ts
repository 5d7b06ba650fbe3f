export { openFileStorage, storageOn } from './file-storage.js';
export { type Lines, openLines } from './lines.js';
