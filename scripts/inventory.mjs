// npm run inventory: writes what a release of the server consists of into the folder `release`: `sbom.cdx.json` (CycloneDX) and `licences.md`.
// It fails if a package has no licence, or one that we have not agreed to.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';

const FOLDER = 'release';
/** The pnpm of this repository knows licences, a later one also writes SBOMs. */
const LATER = 'pnpm@12.21.0';
const { packageManager } = JSON.parse(readFileSync('package.json', 'utf8'));
/** Each lets us pass the package on, with its licence beside it. */
const AGREED = [
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0'],
  ...['BlueOak-1.0.0', 'CC0-1.0', 'Unlicense', 'WTFPL'],
];

function pnpm(version, ...args) {
  const { status, stdout } = spawnSync(
    'npm',
    ['exec', '--yes', '--prefer-offline', `--package=${version}`, '--', 'pnpm', ...args],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 2 ** 28,
      env: { ...process.env, pnpm_config_pm_on_fail: 'ignore' },
    },
  );
  if (status !== 0) process.exit(status ?? 1);
  return stdout;
}

mkdirSync(FOLDER, { recursive: true });
const sbom = `${FOLDER}/sbom.cdx.json`;
pnpm(
  LATER,
  ...['--filter=@slipstream/server', 'sbom', '--prod', '--out', `${process.cwd()}/${sbom}`],
  ...['--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6', '--sbom-type', 'application'],
);
const { components } = JSON.parse(readFileSync(sbom, 'utf8'));

const licences = pnpm(
  packageManager,
  ...['--filter=@slipstream/server...', 'licenses', 'list', '--prod', '--json'],
);
const packages = Object.entries(JSON.parse(licences))
  .flatMap(([licence, named]) =>
    named.map(({ name, versions }) => ({ name, licence, versions: versions.join(', ') })),
  )
  .sort((a, b) => (a.name < b.name ? -1 : 1));
writeFileSync(
  `${FOLDER}/licences.md`,
  [
    '# Licences of the packages that the server installs\n',
    '| package | versions | licence |\n|---|---|---|',
    ...packages.map(({ name, versions, licence }) => `| ${name} | ${versions} | ${licence} |`),
    '',
  ].join('\n'),
);

/** Of a choice, one that we have agreed to is enough. */
const isAgreed = (licence) =>
  licence
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((one) => one.split(' AND ').every((part) => AGREED.includes(part)));
const refused = packages.filter(({ licence }) => !isAgreed(licence));
for (const { name, licence } of refused)
  process.stderr.write(`${name} has a licence that we have not agreed to: ${licence}\n`);
process.stdout.write(
  `${components.length} components in ${sbom}, ${packages.length} licences in ${FOLDER}/licences.md, ${refused.length} not agreed to\n`,
);
process.exit(refused.length === 0 ? 0 : 1);
