// npm run versions: writes the changelogs from the changesets and raises the versions. Changesets takes a change of a peer dependency for a
// major one; below 1.0.0 a minor one says that already.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import process from 'node:process';

const folders = ['packages', 'examples'].flatMap((root) =>
  existsSync(root) ? readdirSync(root).map((name) => `${root}/${name}`) : [],
);
const manifests = folders.map((folder) => `${folder}/package.json`).filter(existsSync);
const versionOf = (manifest) => JSON.parse(readFileSync(manifest, 'utf8')).version;
const [first] = manifests;
const before = versionOf(first);
const { status } = spawnSync(process.execPath, ['node_modules/@changesets/cli/bin.js', 'version'], {
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);

const after = versionOf(first);
if (before.startsWith('0.') && !after.startsWith('0.')) {
  const next = `0.${Number(before.split('.')[1]) + 1}.0`;
  for (const file of folders.flatMap((folder) => [
    `${folder}/package.json`,
    `${folder}/CHANGELOG.md`,
  ])) {
    if (!existsSync(file)) continue;
    const text = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      text
        .replaceAll(`"version": "${after}"`, `"version": "${next}"`)
        .replaceAll(`## ${after}\n`, `## ${next}\n`)
        .replace(/(@slipstream\/[a-z-]+)@(\d+\.\d+\.\d+)/g, (whole, name, version) =>
          version === after ? `${name}@${next}` : whole,
        ),
    );
  }
  process.stdout.write(`all packages are at ${next}\n`);
}
