import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Copy,
  DockerfileParser,
  type Env,
  type Instruction,
  type JSONInstruction,
} from 'dockerfile-ast';
import { ROOT } from './repository.js';

export const DOCKERFILE = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
export const instructions = (): Instruction[] =>
  DockerfileParser.parse(DOCKERFILE).getInstructions();

const wordsOf = (instruction: Instruction): string[] =>
  instruction.getArguments().map((argument) => argument.getValue());

/** The sources of a COPY, its target, and the stage that it copies from; undefined for the folder of the Dockerfile. */
export function copyOf(instruction: Instruction) {
  const words = wordsOf(instruction).filter((word) => !word.startsWith('--'));
  return {
    sources: words.slice(0, -1),
    to: words.at(-1) ?? '',
    from:
      (instruction as Copy)
        .getFlags()
        .find((flag) => flag.getName() === 'from')
        ?.getValue() ?? undefined,
  };
}

/** The words of an ENTRYPOINT or a CMD, or of the command of a HEALTHCHECK. */
export function commandOf(instruction: Instruction): string[] {
  if (instruction.getKeyword() !== 'HEALTHCHECK')
    return (instruction as JSONInstruction)
      .getJSONStrings()
      .map((text) => JSON.parse(text.getValue()) as string);
  const [, words = '[]'] = /CMD (\[.*\])$/s.exec(instruction.getArgumentsContent() ?? '') ?? [];
  return JSON.parse(words) as string[];
}

/** The names and values of an ENV. */
export const environmentOf = (instruction: Instruction): [string, string][] =>
  (instruction as Env).getProperties().map((one) => [one.getName(), one.getValue() ?? '']);

const isIgnored = (path: string): boolean =>
  readFileSync(join(ROOT, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .some((line) => {
      const form = line.replace('**/', '').replaceAll('.', '\\.').replaceAll('*', '[^/]*');
      return new RegExp(`${line.startsWith('**/') ? '(^|/)' : '^'}${form}(/|$)`).test(path);
    });

/** The files of the repository that a build is given: those in git, or new and not ignored by it. */
export function contextFiles(): string[] {
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return stdout.split('\n').filter((file) => file !== '' && !isIgnored(file));
}

/** What the last stage is. */
export interface BuiltImage {
  /** The folder that is its `/`. */
  readonly root: string;
  readonly workdir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
}

/**
 * Takes the steps of the Dockerfile in `folder`, each stage with a folder as its `/`, without the system that the stage is based on: commands
 * run on this machine's, and may name no path from `/` on.
 */
export function takeSteps(folder: string, options: SpawnSyncOptions): BuiltImage {
  let [name, workdir] = ['', '/'];
  const root = () => join(folder, name);
  const at = (path: string) => join(root(), path.startsWith('/') ? path : join(workdir, path));
  const giveAway = () => {
    if (options.uid !== undefined) spawnSync('chown', ['-R', `${options.uid}`, root()]);
  };
  const environment: Record<string, string> = {};
  let entrypoint: string[] = [];
  let command: string[] = [];
  let healthcheck: string[] = [];
  for (const instruction of instructions()) {
    const words = wordsOf(instruction);
    switch (instruction.getKeyword()) {
      case 'FROM':
        [name, workdir] = [words[2] ?? 'image', '/'];
        break;
      case 'WORKDIR':
        workdir = join('/', words[0] ?? '');
        mkdirSync(at('.'), { recursive: true });
        giveAway();
        break;
      case 'ENV':
        Object.assign(environment, Object.fromEntries(environmentOf(instruction)));
        break;
      case 'COPY': {
        const { sources, to, from } = copyOf(instruction);
        for (const source of sources)
          if (from !== undefined)
            cpSync(join(folder, from, source), at(to), { recursive: true, verbatimSymlinks: true });
          else
            for (const file of contextFiles().filter(
              (path) => source === '.' || path.startsWith(source),
            ))
              cpSync(join(ROOT, file), join(at(to), file));
        giveAway();
        break;
      }
      case 'RUN': {
        const { status, stderr } = spawnSync(
          'bash',
          ['-ec', instruction.getArgumentsContent() ?? ''],
          { ...options, cwd: at('.'), encoding: 'utf8' },
        );
        if (status !== 0)
          throw new Error(`${instruction.getArgumentsContent()}: ${String(stderr)}`);
        break;
      }
      case 'ENTRYPOINT':
        entrypoint = commandOf(instruction);
        break;
      case 'CMD':
        command = commandOf(instruction);
        break;
      case 'HEALTHCHECK':
        healthcheck = commandOf(instruction);
    }
  }
  return { root: root(), workdir, environment, entrypoint, command, healthcheck };
}
