import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Mutant } from './mutant.ts';

const left = ['node_modules', 'build', 'dist', '.git'];

/** It says of a tree with a mutant in it that there is one. */
const telltale = 'test/unit/mutants.test.ts';

/** Copies the project, without what is made of it, to a folder of its own, and answers that. */
export function copyTree(to: string): string {
  const tree = resolve(to);
  rmSync(tree, { recursive: true, force: true });
  mkdirSync(join(tree, 'build'), { recursive: true });
  for (const name of readdirSync('.').filter((entry) => !left.includes(entry))) {
    cpSync(name, join(tree, name), { recursive: true });
  }
  rmSync(join(tree, telltale));
  symlinkSync(resolve('node_modules'), join(tree, 'node_modules'), 'dir');
  return tree;
}

/** Plants a mutant in a file of the tree and answers what takes it out. */
export function plant(tree: string, file: string, { before, after }: Mutant): () => void {
  const path = join(tree, file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    text.replace(before, () => after),
  );
  return () => writeFileSync(path, text);
}
