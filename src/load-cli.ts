import { createRequire } from 'node:module';
import { getAsset, isSea } from 'node:sea';
import { compileFunction } from 'node:vm';

type CommandLine = typeof import('./cli/main.ts');

/** Loads the command line, which is not in the plugin's bundle: an asset of the exe, or a file elsewhere. */
export async function loadCommandLine(): Promise<CommandLine> {
  return isSea() ? runAsset('win-hcn-cli.cjs') : import('./cli/main.ts');
}

/** Runs a CommonJS bundle that requires only Node's built-in modules. */
function runAsset(asset: string): CommandLine {
  const module: { exports: unknown } = { exports: {} };
  const names = ['exports', 'require', 'module', '__filename'];
  const run = compileFunction(getAsset(asset, 'utf8'), names, { filename: asset });
  run(module.exports, createRequire(process.execPath), module, process.execPath);
  return module.exports as CommandLine;
}
