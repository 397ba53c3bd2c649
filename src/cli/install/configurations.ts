import { CniError, code } from '../../cni/error.ts';
import { pluginName } from '../../config/open-config.ts';
import { readConfigFile } from '../conflist/config-file.ts';
import { confNames } from '../conflist/files.ts';
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
  // containerd ignores folders, whatever their names are.
  const others = files
    .list(folder)
    .filter((one) => !isSamePath(one, name) && files.kindOf(joinPath(folder, one)) !== 'folder');
  const all = confNames([...others, name]);
  const index = all.indexOf(name);
  if (maxConfNum !== 0 && index >= maxConfNum)
    refuse(
      `containerd would ignore ${name}: it uses ${all.slice(0, index).join(', ')} in ${folder} first. Rename or delete what precedes it, or rename yours.`,
    );
  const path = joinPath(folder, name);
  const previous = files.kindOf(path) === 'file' ? files.read(path) : undefined;
  if (previous === undefined) return [writeFile(path, bytes)];
  if (Buffer.compare(previous, bytes) === 0) return isOpen ? [writeFile(path, bytes, previous)] : [];
  if (!isForWinHcn(previous))
    refuse(`${path} configures another plugin. Rename or delete it, or rename yours.`);
  return [writeFile(path, bytes, previous)];
}

/** Takes our configurations out of force, by renaming them. */
export function configurationRemovals(folder: string, files: InstallFiles): readonly FileChange[] {
  return ownConfigurations(folder, files)
    .map((name) => joinPath(folder, name))
    .map((path) => renameFile(path, `${path}.win-hcn-removed`));
}

/** The names of the configurations for win-hcn in a folder, in containerd's order. */
export function ownConfigurations(folder: string, files: InstallFiles): readonly string[] {
  return confNames(files.list(folder)).filter((name) => {
    const path = joinPath(folder, name);
    return files.kindOf(path) === 'file' && isForWinHcn(files.read(path));
  });
}

/** Whether a configuration has a plugin of type win-hcn. */
export function isForWinHcn(bytes: Uint8Array): boolean {
  const { value } = readConfigFile(bytes);
  return pluginsIn(value, executableName).some(({ type }) => pluginName(type) === 'win-hcn');
}
