// `main.js serve --with examples/storage/mine.js`: the server keeps everything in storage.jsonl of the present folder.
import { openFileStorage } from './dist/index.js';

export default async () => ({ unitOfWork: await openFileStorage('storage.jsonl') });
