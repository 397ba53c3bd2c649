import { CniError, code } from '../../cni/error.ts';
import { pluginName } from '../../config/open-config.ts';
import { readConfigFile } from '../conflist/config-file.ts';
import { confNames, confsInForce } from '../conflist/files.ts';
import { pluginsIn } from '../conflist/plugin-list.ts';
import { isSamePath, joinPath } from '../terminal/windows-path.ts';
import { executableName } from './executable.ts';
import { type FileChange, renameFile, writeFile } from './file-changes.ts';
import type { InstallFiles } from './files.ts';

/** A configuration by its name in the configuration folder. */
export interface Configuration {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A configuration to install. */
export interface ConfigurationRequest {
  readonly folder: string;
  readonly given: Configuration;
  /** How many configurations containerd uses; 0 for all. */
  readonly maxConfNum: number;
  /** Whether other accounts could have modified the files in the folder. */
  readonly isOpen: boolean;
}

/** Puts a configuration in force. Throws CniError if containerd would ignore it, or if it would replace that of another plugin. */
export function configurationChanges(
  { folder, given: { name, bytes }, maxConfNum, isOpen }: ConfigurationRequest,
  files: InstallFiles,
): readonly FileChange[] {
  const refuse = (problem: string): never => {
    throw new CniError(code.invalidConfig, problem);
  };
  if (confNames([name]).length === 0)
    refuse(
      `containerd does not read ${name}: rename the file so that it ends with .conflist, or .conf for a single plugin.`,
    );
  const used = confsInForce(listWith(name, folder, files), maxConfNum);
  if (!used.includes(name))
    refuse(
      `containerd would ignore ${name}: it uses ${used.join(', ')} in ${folder} first. Rename or delete what precedes it, or rename yours.`,
    );
  const path = joinPath(folder, name);
  const previous = files.kindOf(path) === 'file' ? files.read(path) : undefined;
  if (previous === undefined) return [writeFile(path, bytes)];
  if (Buffer.compare(previous, bytes) === 0) return isOpen ? [writeFile(path, bytes, previous)] : [];
  if (!isForWinHcn(previous))
    refuse(`${path} configures another plugin. Rename or delete it, or rename yours.`);
  return [writeFile(path, bytes, previous)];
}

/** The configurations that containerd uses until it gets a new one, with their plugins, as a sentence each. */
export function describeDisplaced(
  { folder, given: { name }, maxConfNum }: Omit<ConfigurationRequest, 'isOpen'>,
  files: InstallFiles,
): readonly string[] {
  const used = confsInForce(listWith(name, folder, files), maxConfNum);
  return confsInForce(listConfigurations(folder, files), maxConfNum)
    .filter((one) => !used.some((other) => isSamePath(one, other)))
    .map((one) => {
      const path = joinPath(folder, one);
      const types = files.kindOf(path) === 'file' ? typesIn(files.read(path)).join(', ') : '';
      return `containerd will use ${name} instead of ${one}${types && ` (${types})`}.`;
    });
}

/** The configurations in a folder, in containerd's order. It ignores folders, whatever their names are. */
export function listConfigurations(folder: string, files: InstallFiles): readonly string[] {
  return confNames(files.list(folder)).filter((name) => files.kindOf(joinPath(folder, name)) !== 'folder');
}

/** The same with a new one. */
function listWith(name: string, folder: string, files: InstallFiles): readonly string[] {
  const others = listConfigurations(folder, files).filter((one) => !isSamePath(one, name));
  return confNames([...others, name]);
}

/** Takes our configurations out of force, by renaming them. */
export function configurationRemovals(folder: string, files: InstallFiles): readonly FileChange[] {
  return listConfigurations(folder, files)
    .map((name) => joinPath(folder, name))
    .filter((path) => files.kindOf(path) === 'file' && isForWinHcn(files.read(path)))
    .map((path) => renameFile(path, `${path}.win-hcn-removed`));
}

/** Whether a configuration has a plugin of type win-hcn. */
export function isForWinHcn(bytes: Uint8Array): boolean {
  return typesIn(bytes).some((type) => pluginName(type) === 'win-hcn');
}

/** The types of a configuration's plugins. */
function typesIn(bytes: Uint8Array): readonly string[] {
  return pluginsIn(readConfigFile(bytes).value, executableName).map(({ type }) => type);
}
