import { createRequire } from 'node:module';
import { getAsset, isSea } from 'node:sea';
import { compileFunction } from 'node:vm';

type CommandLine = typeof import('./cli/main.ts');

/** The command line, which is no part of the plugin's program: an asset of the exe, elsewhere a file. */
export async function loadCommandLine(): Promise<CommandLine> {
  return isSea() ? compiled('win-hcn-cli.cjs') : import('./cli/main.ts');
}

/** A CommonJS module that may require nothing but what is built into Node. */
function compiled(asset: string): CommandLine {
  const loaded: { exports: unknown } = { exports: {} };
  const names = ['exports', 'require', 'module', '__filename'];
  const run = compileFunction(getAsset(asset, 'utf8'), names, { filename: asset });
  run(loaded.exports, createRequire(process.execPath), loaded, process.execPath);
  return loaded.exports as CommandLine;
}
