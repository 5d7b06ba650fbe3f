import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A browser to start, and what its libraries need. */
export interface BrowserFile {
  readonly executablePath: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

const installed = (executablePath: string): BrowserFile => ({
  executablePath,
  args: ['--no-sandbox'],
  env: {},
});

/** The version of the packaged browser, which names its folder. */
function packagedVersion(): string | undefined {
  try {
    const main = createRequire(import.meta.url).resolve('@sparticuz/chromium');
    for (let folder = dirname(main); folder !== dirname(folder); folder = dirname(folder)) {
      const file = join(folder, 'package.json');
      if (existsSync(file) && readFileSync(file, 'utf8').includes('"@sparticuz/chromium"'))
        return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
    }
  } catch {
    return undefined;
  }
  return undefined;
}

/**
 * Unpacks the browser once for all runs of this user. Workers that do it at the same time each unpack their own and one wins:
 * a file that is still being written cannot be started.
 */
function unpacked(version: string): BrowserFile {
  const home = join(tmpdir(), `slipstream-browser-${version}-${process.getuid?.() ?? 0}`);
  if (!existsSync(join(home, 'chromium'))) {
    const folder = mkdtempSync(join(tmpdir(), 'slipstream-browser-'));
    const script = fileURLToPath(new URL('unpack.mjs', import.meta.url));
    execFileSync(process.execPath, [script, folder], { stdio: ['ignore', 'ignore', 'inherit'] });
    // Without a font pages crash; its own list of folders names those of another kind of host.
    writeFileSync(
      join(folder, 'fonts.conf'),
      `<?xml version="1.0"?><fontconfig><dir>${home}/fonts</dir><dir>/usr/share/fonts</dir><cachedir>${home}/cache</cachedir></fontconfig>\n`,
    );
    try {
      renameSync(folder, home);
    } catch {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const libraries = ['al2023', 'al2'].map((name) => join(home, name, 'lib')).filter(existsSync);
  return {
    executablePath: join(home, 'chromium'),
    // Its own arguments would switch off the security of pages. Without --no-zygote every page of it crashes.
    args: ['--no-sandbox', '--no-zygote', '--headless=new', '--disable-gpu'],
    env: { LD_LIBRARY_PATH: libraries.join(':'), FONTCONFIG_FILE: join(home, 'fonts.conf') },
  };
}

/** The browser of the journeys: the named one, the packaged one, or an installed one; undefined where there is none. */
export function browserFile(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): BrowserFile | undefined {
  const { BROWSER: named, CI } = environment;
  if (named) return installed(named);
  const version =
    process.platform === 'linux' && process.arch === 'x64' ? packagedVersion() : undefined;
  if (version !== undefined) return unpacked(version);
  const found = INSTALLED.find((file) => existsSync(file));
  if (found !== undefined) return installed(found);
  if (CI) throw new Error('there is no browser for the journeys: set BROWSER to one');
  return undefined;
}
