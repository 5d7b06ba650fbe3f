import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { memoryPorts } from '@slipstream/adapter-memory/testing';
import { createApplication } from '@slipstream/application';
import * as standIns from '@slipstream/stand-ins';
import { type Operation, operations } from '@slipstream/wire';
import { ADAPTER_NAMES } from '../../src/composition/adapters.js';
import { PACKAGES, ROOT } from '../helpers/repository.js';

/** Their own tests run these: one prints what its README says, the other needs a server. */
const ELSEWHERE: readonly string[] = ['domain', 'client'];

/** The whole programs of a README: those that import what they use. */
const programsOf = (name: string): string[] =>
  [...readFileSync(join(PACKAGES, name, 'README.md'), 'utf8').matchAll(/```js\n([^]*?)```/g)]
    .map(([, program = '']) => program)
    .filter((program) => program.startsWith('import '));

const examples = readdirSync(PACKAGES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !ELSEWHERE.includes(entry.name))
  .flatMap(({ name }) => programsOf(name).map((program, at) => [name, at + 1, program] as const));

/** In plain Node, with the built packages, as a host would. */
async function run(program: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'slipstream-readme-'));
  try {
    const built = (_: string, name: string, part = '') =>
      `'${pathToFileURL(join(PACKAGES, name, 'dist', part, 'index.js')).href}'`;
    const host = program.replace(/'@slipstream\/([\w-]+)(?:\/(testing))?'/g, built);
    writeFileSync(join(folder, 'host.mjs'), host);
    const { stdout } = await promisify(execFile)(process.execPath, ['host.mjs'], { cwd: folder });
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const shown = (text: string, [begin, end]: readonly [string, string], names: RegExp): string[] =>
  namesIn(text.split(begin)[1]?.split(end)[0] ?? '', names);

const portsThatAnApplicationTakes = (): string[] =>
  shown(
    readFileSync(join(PACKAGES, 'ports/src/ports.ts'), 'utf8'),
    ['export interface Ports {', '\n}'],
    /: (\w+)(?: \| undefined)?;/g,
  );

const namesIn = (text: string, names: RegExp): string[] =>
  [...text.matchAll(names)].map(([, name = '']) => name);

/** The texts of the sources that a package exports. */
const sourcesOf = (name: string): string[] => {
  const src = join(PACKAGES, name, 'src');
  return namesIn(readFileSync(join(src, 'index.ts'), 'utf8'), /from '\.\/([^']+)\.js'/g).map(
    (file) => readFileSync(join(src, `${file}.ts`), 'utf8'),
  );
};

describe('the README of the repository', () => {
  it('names every operation that OPERATOR_TOKEN allows', () => {
    const row = /^\| `OPERATOR_TOKEN` .*$/m.exec(
      readFileSync(join(ROOT, 'README.md'), 'utf8'),
    )?.[0];
    const allowed = Object.values<Operation>(operations)
      .filter(({ auth, byOperator }) => auth === 'operator' || byOperator)
      .map(({ name }) => name);
    expect(allowed.length).toBeGreaterThan(5);
    expect(allowed.filter((name) => !row?.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('the fixture in the README of port-contracts', () => {
  it('has every part that the suite of brokers asks for', () => {
    const read = (file: string): string =>
      readFileSync(join(PACKAGES, 'port-contracts', file), 'utf8');
    const asked = shown(
      read('src/mirroring/broker/fixture.ts'),
      ['export interface BrokerFixture {', '\n}'],
      /^ {2}(?:readonly )?(\w+)[:(]/gm,
    );
    expect(asked.length).toBeGreaterThan(15);
    expect(
      shown(
        read('README.md'),
        [`brokerContract('mine', async () => ({`, '}));'],
        /^ {2}(\w+)[:,]/gm,
      ),
    ).toEqual(asked);
  });
});

describe('the names that a host needs', () => {
  const readme = (name: string): string => readFileSync(join(PACKAGES, name, 'README.md'), 'utf8');
  const missingIn = (text: string, names: readonly string[]): string[] =>
    names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text));

  it('are all in the README of ports: each port that an application takes', () => {
    const ports = portsThatAnApplicationTakes();
    expect(ports.length).toBeGreaterThan(20);
    expect(missingIn(readme('ports'), ports)).toEqual([]);
  });

  it('are all in the READMEs of the adapters: each function that makes a port', () => {
    const ports = [...portsThatAnApplicationTakes(), 'Broker'].join('|');
    const makers = new RegExp(
      `^export (?:const|function) (\\w+)(?:(?!^export )[^])*?\\): (?:Promise<)?(?:${ports})\\b`,
      'gm',
    );
    const found = readdirSync(PACKAGES)
      .filter((name) => name.startsWith('adapter-'))
      .map((name) => [name, sourcesOf(name).flatMap((text) => namesIn(text, makers))] as const);
    expect(found.flatMap(([, names]) => names).length).toBeGreaterThan(15);
    expect(found.flatMap(([name, names]) => missingIn(readme(name), names))).toEqual([]);
  });

  it('are all in the README of application: each method of its parts', () => {
    const { operations: _, ...parts } = createApplication(memoryPorts());
    const methods = Object.values(parts).flatMap((part) => Object.keys(part));
    expect(methods.length).toBeGreaterThan(25);
    expect(missingIn(readme('application'), methods)).toEqual([]);
  });

  it('are all in the README of stand-ins: each part of the outside that it imitates', () => {
    expect(missingIn(readme('stand-ins'), Object.keys(standIns))).toEqual([]);
  });

  it('are all in the README of server: each adapter that a module may replace', () => {
    expect(missingIn(readme('server'), ADAPTER_NAMES)).toEqual([]);
  });
});

describe('the programs of the READMEs', () => {
  it('are found', () => {
    expect(examples.length).toBeGreaterThanOrEqual(12);
  });

  it.each(examples)('of %s, number %d, works', async (_name, _at, program) => {
    const said = await run(program);
    expect(said).not.toMatch(/\b[45]\d\d \{|Request failed/);
  });
});
