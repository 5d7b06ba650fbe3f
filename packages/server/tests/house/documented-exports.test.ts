import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { PACKAGES } from '../helpers/repository.js';

/** Packages that others may install: each thing that they export has a sentence with its meaning. */
const DOCUMENTED = readdirSync(PACKAGES).filter((name) => {
  const manifest = JSON.parse(readFileSync(join(PACKAGES, name, 'package.json'), 'utf8')) as {
    private?: boolean;
  };
  return manifest.private !== true;
});

/** Their functions throw by themselves, and name the errors. Those of an adapter throw what its port says. */
const WITH_ERRORS = ['domain', 'ports'];

/**
 * What says by its name or its text what it is: `Id<'order'>`, a token of the container, the members of a documented list or table, and
 * the options of a documented function.
 */
const saysItself = (declaration: ts.Declaration): boolean =>
  (ts.isTypeAliasDeclaration(declaration) &&
    /^Id<|^\(?(keyof )?typeof\b/.test(declaration.type.getText())) ||
  (ts.isVariableDeclaration(declaration) &&
    /^token</.test(declaration.initializer?.getText() ?? '')) ||
  (ts.isInterfaceDeclaration(declaration) && /.(Options|Deps)$/.test(declaration.name.text));

const hasSentence = (declaration: ts.Declaration): boolean =>
  ts.getJSDocCommentsAndTags(declaration).length > 0 || saysItself(declaration);

/** Whether it names its errors, if it throws itself. */
function namesErrors(declaration: ts.Declaration): boolean {
  const isCalled = ts.isFunctionDeclaration(declaration) || ts.isVariableDeclaration(declaration);
  const isThrowing = isCalled && /\bthrow\b/.test(declaration.getText());
  const tags = ts.getJSDocTags(declaration).map(({ tagName }) => tagName.text);
  return !isThrowing || tags.includes('throws');
}

const sourcesOf = (name: string): string => join(PACKAGES, name, 'src');
const indexOf = (name: string): string => join(sourcesOf(name), 'index.ts');

const options: ts.CompilerOptions = {
  ...{ noLib: true, types: [], target: ts.ScriptTarget.ESNext },
  ...{ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
};
const host = ts.createCompilerHost(options);
/** The packages' own files alone: what they import from elsewhere has its sentences there. */
host.resolveModuleNameLiterals = (names, from) =>
  names.map(({ text }) =>
    text.startsWith('.')
      ? ts.resolveModuleName(text, from, options, host)
      : { resolvedModule: undefined },
  );
const program = ts.createProgram(DOCUMENTED.map(indexOf), options, host);
const checker = program.getTypeChecker();

/** The exports of the package of which `isDocumented` is false for every declaration. */
function undocumented(name: string, isDocumented: (declaration: ts.Declaration) => boolean) {
  const folder = sourcesOf(name);
  const source = program.getSourceFile(indexOf(name));
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${name} exports nothing`);
  return checker.getExportsOfModule(module).flatMap((exported) => {
    const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
    const { declarations = [] } = isAlias ? checker.getAliasedSymbol(exported) : exported;
    const own = declarations.filter((one) => one.getSourceFile().fileName.startsWith(folder));
    if (own.length === 0 || own.some(isDocumented)) return [];
    return own.map((one) => `${relative(folder, one.getSourceFile().fileName)}: ${exported.name}`);
  });
}

describe('the exports', () => {
  it.each(DOCUMENTED)('of %s have a sentence each', (name) => {
    expect(undocumented(name, hasSentence)).toEqual([]);
  });

  it.each(WITH_ERRORS)('of %s name the errors that they throw', (name) => {
    expect(undocumented(name, namesErrors)).toEqual([]);
  });
});
