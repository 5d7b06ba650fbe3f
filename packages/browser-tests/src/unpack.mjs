// node unpack.mjs FOLDER: unpacks the browser of @sparticuz/chromium with its libraries into the folder, and prints its path.
import process from 'node:process';

const [folder = ''] = process.argv.slice(2);
process.env.TMPDIR = folder;
// It brings the libraries of its own kind of host only when it seems to run there.
process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs22.x';
const { default: chromium } = await import('@sparticuz/chromium');
process.stdout.write(await chromium.executablePath());
