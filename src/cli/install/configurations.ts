import { CniError, code } from '../../cni/error.ts';
import { pluginName } from '../../config/open-config.ts';
import { isObject } from '../../json/members.ts';
import { readConfigFile } from '../conflist/config-file.ts';
import { confNames } from '../conflist/files.ts';
import { pluginsIn } from '../conflist/plugin-list.ts';
import { isSamePath, joinPath } from '../terminal/windows-path.ts';
import { copyFile, deleteFile, discard, type FileChange, renameFile, writeFile } from './file-changes.ts';
import type { InstallFiles } from './files.ts';
import { ending, executableName, readEnding } from './names.ts';

/** A configuration by its name in the configuration folder. */
export interface Configuration {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A configuration to install. */
export interface ConfigurationRequest {
  readonly folder: string;
  readonly given: Configuration;
  /** Whether to park the configurations that containerd would use instead. */
  readonly park: boolean;
  /** How many configurations containerd uses; 0 for all. */
  readonly maxConfNum: number;
}

/** Puts a configuration in force. A file of another program is kept. Throws CniError if containerd would ignore the configuration. */
export function configurationChanges(
  { folder, given, park, maxConfNum }: ConfigurationRequest,
  files: InstallFiles,
): readonly FileChange[] {
  if (confNames([given.name]).length === 0)
    throw new CniError(
      code.invalidConfig,
      `containerd does not read ${given.name}: rename the file so that it ends with .conflist, or .conf for a single plugin.`,
    );
  // containerd ignores folders, whatever their names are.
  const names = files
    .list(folder)
    .filter((one) => one === given.name || files.kindOf(joinPath(folder, one)) !== 'folder');
  // Windows ignores case: a file whose name differs only in case is the one to replace.
  const name = names.find((one) => isSamePath(one, given.name)) ?? given.name;
  const before = precedingNames(name, names, maxConfNum);
  if (before.length > 0 && !park)
    throw new CniError(
      code.invalidConfig,
      `containerd would ignore ${name}: it uses ${before.join(', ')} in ${folder} first. Specify --park to rename ${before.length === 1 ? 'that file' : 'those files'}, or rename yours.`,
    );
  const path = joinPath(folder, name);
  const previous = readExisting(path, files);
  const isEqual = previous !== undefined && Buffer.compare(previous, given.bytes) === 0;
  const isKept = previous !== undefined && !isEqual && readOurs(previous) === undefined;
  return [
    ...(isKept ? [copyFile(path, `${path}${ending.original}`)] : []),
    ...(isEqual ? [] : [writeFile(path, given.bytes, previous)]),
    ...before
      .map((one) => joinPath(folder, one))
      .map((other) => renameFile(other, `${other}${ending.original}`)),
  ];
}

/** The names that keep containerd from using a configuration. */
function precedingNames(name: string, names: readonly string[], maxConfNum: number): readonly string[] {
  const all = confNames([...new Set([...names, name])]);
  const index = all.indexOf(name);
  return maxConfNum === 0 || index < maxConfNum ? [] : all.slice(0, index);
}

function readExisting(path: string, files: InstallFiles): Uint8Array | undefined {
  const kind = files.kindOf(path);
  if (kind === undefined || kind === 'file') return kind && files.read(path);
  throw new CniError(
    code.ioFailure,
    `${path} is ${kind === 'link' ? 'a link' : 'not a file'}. Delete it and run this command again.`,
  );
}

/** The name of a configuration's network, and whether win-hcn creates the network; undefined if the configuration is not for win-hcn. */
export function readOurs(
  bytes: Uint8Array,
): { readonly network: unknown; readonly isCreated: boolean } | undefined {
  const { value } = readConfigFile(bytes);
  if (!isObject(value)) return undefined;
  const ours = pluginsIn(value, executableName).filter(({ type }) => pluginName(type) === 'win-hcn');
  const isCreated = ours.some(({ config }) => config['createNetwork'] !== 'never');
  return ours.length === 0 ? undefined : { network: value['name'], isCreated };
}

/** The configurations of a folder that concern an installation, under the names that they have in force. */
export interface FoundConfigurations {
  /** Ours, in containerd's order. */
  readonly active: readonly Configuration[];
  /** Ours that uninstall has removed. */
  readonly removed: readonly Configuration[];
  /** Those that install has parked. */
  readonly parked: readonly Configuration[];
}

/** Finds the configurations of a folder that concern an installation. */
export function findConfigurations(folder: string, files: InstallFiles): FoundConfigurations {
  const names = files.list(folder).filter((name) => files.kindOf(joinPath(folder, name)) === 'file');
  const read = (name: string, file: string) => ({ name, bytes: files.read(joinPath(folder, file)) });
  const named = (kind: 'original' | 'removed') =>
    confNames(names.map((name) => name.slice(0, -ending[kind].length)))
      .filter((name) => names.includes(`${name}${ending[kind]}`))
      .map((name) => read(name, `${name}${ending[kind]}`));
  return {
    active: confNames(names)
      .map((name) => read(name, name))
      .filter(({ bytes }) => readOurs(bytes) !== undefined),
    removed: named('removed'),
    parked: named('original'),
  };
}

/** Takes our configurations out of force, and puts the parked ones back. A parked one stays if there is a newer one. */
export function configurationRemovals(folder: string, files: InstallFiles): readonly FileChange[] {
  const { active, parked } = findConfigurations(folder, files);
  const withdrawals = active.flatMap(({ name, bytes }): readonly FileChange[] => {
    const path = joinPath(folder, name);
    const replaced = parked.find((one) => isSamePath(one.name, name));
    if (replaced === undefined) return [renameFile(path, `${path}${ending.removed}`)];
    return [copyFile(path, `${path}${ending.removed}`), writeFile(path, replaced.bytes, bytes)];
  });
  const keptPath = ({ name }: Configuration) => `${joinPath(folder, name)}${ending.original}`;
  const isMissing = ({ name }: Configuration) => files.kindOf(joinPath(folder, name)) === undefined;
  const isRestored = ({ name, bytes }: Configuration) =>
    active.some((one) => isSamePath(one.name, name)) ||
    Buffer.compare(files.read(joinPath(folder, name)), bytes) === 0;
  return [
    ...withdrawals,
    ...parked.filter(isMissing).map((one) => renameFile(keptPath(one), joinPath(folder, one.name))),
    ...parked.filter((one) => !isMissing(one) && isRestored(one)).map((one) => deleteFile(keptPath(one))),
  ];
}

/** Deletes what an interrupted command left in the configuration folder. */
export function repairConfigurations(folder: string, files: InstallFiles): void {
  for (const name of files.list(folder))
    if (readEnding(name)?.kind === 'unfinished') discard(joinPath(folder, name), files);
}
