import { join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { PACKAGES } from '../helpers/repository.js';

/** Packages that others build on: each thing that they export has a sentence with its meaning. */
const DOCUMENTED = ['domain', 'ports'];

/** `Id<'order'>` and the members of a documented list or table say what they are. */
const saysItself = (declaration: ts.Declaration): boolean =>
  ts.isTypeAliasDeclaration(declaration) &&
  /^Id<|^\(?(keyof )?typeof\b/.test(declaration.type.getText());

/** A sentence; and `@throws` where it throws itself. */
function isDocumented(declaration: ts.Declaration): boolean {
  const isCalled = ts.isFunctionDeclaration(declaration) || ts.isVariableDeclaration(declaration);
  const isThrowing = isCalled && /\bthrow\b/.test(declaration.getText());
  const tags = ts.getJSDocTags(declaration).map(({ tagName }) => tagName.text);
  if (isThrowing && !tags.includes('throws')) return false;
  return ts.getJSDocCommentsAndTags(declaration).length > 0 || saysItself(declaration);
}

function undocumented(name: string): string[] {
  const folder = join(PACKAGES, name, 'src');
  const index = join(folder, 'index.ts');
  const program = ts.createProgram([index], {
    ...{ noLib: true, types: [], target: ts.ScriptTarget.ESNext },
    ...{ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(index);
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
  it.each(DOCUMENTED)('of %s have a sentence each, and name their errors', (name) => {
    expect(undocumented(name)).toEqual([]);
  });
});
