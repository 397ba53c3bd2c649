import { CniError, code } from '../../cni/error.ts';
import { joinPath } from '../terminal/windows-path.ts';
import type { Addon } from './addon.ts';
import type { InstallFiles } from './files.ts';
import { executableName, previousName } from './layout.ts';
import { planExecutables } from './plan-executables.ts';
import { planAddon } from './plan-install.ts';
import type { InstallStep } from './step.ts';

/** A change of the version in force. */
export interface Upgrade {
  /** The version in force before; undefined if it does not run, or must not. */
  readonly from: string | undefined;
  /** The version in force afterwards. */
  readonly to: string;
  /** Empty if that version is in force already. */
  readonly steps: readonly InstallStep[];
}

/** How long a program may take to print its version. */
const versionSeconds = 60;

/** Plans the upgrade of win-hcn in a folder, and of its copies, to the program `source`. Throws CniError if none is installed. */
export async function planUpgrade(
  {
    source,
    version,
    addon,
    folder,
    distrusted = [],
  }: {
    source: string;
    version: string;
    addon: Addon | undefined;
    folder: string;
    /** Programs that accounts other than administrators could have modified: they are not run. */
    distrusted?: readonly string[];
  },
  files: InstallFiles,
): Promise<Upgrade> {
  const path = joinPath(folder, executableName);
  if (files.status(path) === undefined)
    throw new CniError(
      code.invalidEnvironment,
      `win-hcn is not installed in ${folder}. Run win-hcn install, or specify another folder with --bin-dir.`,
    );
  // The installed version starts while this process reads the executables.
  const [from, steps] = await Promise.all([
    versionOf(path, distrusted, files),
    Promise.resolve().then(() => planExecutables({ source, folder, peers: [], distrusted }, files)),
  ]);
  return {
    from,
    to: version,
    steps: steps.length === 0 ? [] : [...planAddon(addon, { folder, distrusted }, files), ...steps],
  };
}

/** Plans the return to the version before. Throws CniError if it was not kept, or if accounts other than administrators could have modified it. */
export async function planRollback(
  { folder, distrusted = [] }: { readonly folder: string; readonly distrusted?: readonly string[] },
  files: InstallFiles,
): Promise<Upgrade> {
  const previous = joinPath(folder, previousName(executableName));
  if (files.status(previous)?.kind !== 'file')
    throw new CniError(
      code.ioFailure,
      `there is no previous version in ${folder}: ${previous} is missing. Run win-hcn upgrade with the executable of that version.`,
    );
  if (distrusted.includes(previous))
    throw new CniError(
      code.ioFailure,
      `the previous version ${previous} is not run, because accounts other than administrators could have modified it. Run win-hcn upgrade with the executable of that version.`,
    );
  const [from, to] = await Promise.all([
    versionOf(joinPath(folder, executableName), distrusted, files),
    versionOf(previous, distrusted, files),
  ]);
  if (to === undefined)
    throw new CniError(
      code.ioFailure,
      `the previous version ${previous} does not run. Run win-hcn upgrade with the executable of that version.`,
    );
  return {
    from,
    to,
    steps: planExecutables({ source: previous, folder, peers: [], distrusted }, files),
  };
}

/** Undefined if the program does not run. A link is not followed. */
async function versionOf(
  path: string,
  distrusted: readonly string[],
  files: InstallFiles,
): Promise<string | undefined> {
  if (distrusted.includes(path) || files.status(path)?.kind !== 'file') return undefined;
  const result = await files.run(path, ['version'], versionSeconds);
  return 'exitCode' in result && result.exitCode === 0 ? result.stdout.trim() : undefined;
}
