import { CniError, code } from '../../cni/error.ts';
import { pluginName } from '../../config/open-config.ts';
import { readConfFile } from '../conflist/conf-file.ts';
import { confNames } from '../conflist/files.ts';
import { isSamePath, joinPath } from '../terminal/windows-path.ts';
import type { InstallFiles } from './files.ts';
import { removeIfPresent } from './in-use.ts';
import { confFileOf, executableName, keptName } from './layout.ts';
import { listIfPresent } from './plan-executables.ts';
import type { InstallStep } from './step.ts';

/** A configuration to install. */
export interface GivenConfiguration {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface ConfigurationRequest {
  readonly folder: string;
  readonly given: GivenConfiguration;
  /** Whether to park the configurations that containerd would use instead. */
  readonly park: boolean;
  readonly maxConfNum: number;
}

/** The steps that put a configuration in force. Throws CniError if containerd would ignore it. */
export function planConfiguration(
  { folder, given, park, maxConfNum }: ConfigurationRequest,
  files: InstallFiles,
): readonly InstallStep[] {
  const { bytes } = given;
  if (confNames([given.name]).length === 0)
    throw new CniError(
      code.invalidConfig,
      `containerd does not read ${given.name}: rename the file so that it ends with .conflist, or .conf for a single plugin.`,
    );
  // containerd ignores folders, whatever their names are.
  const names = listIfPresent(folder, files).filter(
    (one) => one === given.name || files.status(joinPath(folder, one))?.kind !== 'folder',
  );
  // Windows ignores case: a file whose name differs only in case is the one to replace.
  const name = names.find((one) => isSamePath(one, given.name)) ?? given.name;
  const path = joinPath(folder, name);
  const before = precedingNames(name, names, maxConfNum);
  if (before.length > 0 && !park)
    throw new CniError(
      code.invalidConfig,
      `containerd would ignore ${name}: it uses ${before.join(', ')} in ${folder} first. Specify --park to rename ${before.length === 1 ? 'that file' : 'those files'}, or rename yours.`,
    );
  return [
    ...writing(path, bytes, files),
    ...before.map((one): InstallStep => {
      const from = joinPath(folder, one);
      const to = keptName(from);
      return { do: 'rename configuration', path: from, to, replaced: readConfiguration(to, files) };
    }),
  ];
}

/** The names that keep containerd from using a configuration. */
function precedingNames(name: string, names: readonly string[], maxConfNum: number): readonly string[] {
  const before = confNames([...new Set([...names, name])]);
  const index = before.indexOf(name);
  return maxConfNum === 0 || index < maxConfNum ? [] : before.slice(0, index);
}

/** A file that another program wrote is kept. */
function writing(path: string, bytes: Uint8Array, files: InstallFiles): readonly InstallStep[] {
  const previous = readConfiguration(path, files);
  if (previous !== undefined && Buffer.compare(previous, bytes) === 0) return [];
  const keep = previous !== undefined && !isOurs(path, previous);
  const to = keptName(path);
  const kept = (before: Uint8Array): InstallStep => ({
    do: 'keep configuration',
    path,
    to,
    bytes: before,
    replaced: readConfiguration(to, files),
  });
  return [...(keep ? [kept(previous)] : []), { do: 'write configuration', path, bytes, previous }];
}

function readConfiguration(path: string, files: InstallFiles): Uint8Array | undefined {
  const found = files.status(path);
  if (found === undefined) return undefined;
  if (found.kind === 'file') return files.read(path);
  throw new CniError(
    code.ioFailure,
    `${path} is ${found.kind === 'link' ? 'a link' : 'not a file'}. Delete it and run this command again.`,
  );
}

/** Whether a configuration has a plugin of type win-hcn. */
export function isOurs(path: string, bytes: Uint8Array): boolean {
  return readConfFile(path, bytes, executableName).plugins.some(({ type }) => pluginName(type) === 'win-hcn');
}

/** A configuration of the runtime's folder that is for win-hcn, by its own name. */
export interface OwnConfiguration {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Our configurations that are in force, in containerd's order. */
export function findOwnConfigurations(folder: string, files: InstallFiles): readonly OwnConfiguration[] {
  return confNames(listIfPresent(folder, files)).flatMap((name) => {
    const path = joinPath(folder, name);
    if (files.status(path)?.kind !== 'file') return [];
    const bytes = files.read(path);
    return isOurs(path, bytes) ? [{ name, bytes }] : [];
  });
}

/** Deletes what an interrupted command left in the folder of the configurations. */
export function repairConfigurations(
  folder: string,
  kinds: readonly ('unfinished' | 'removed')[],
  files: InstallFiles,
): void {
  for (const name of listIfPresent(folder, files)) {
    const kind = confFileOf(name)?.kind;
    const path = joinPath(folder, name);
    if (kinds.some((one) => one === kind) && files.status(path)?.kind !== 'folder')
      removeIfPresent(path, files);
  }
}
