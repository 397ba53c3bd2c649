import { createHash } from 'node:crypto';
import { joinPath } from '../terminal/windows-path.ts';
import type { Addon } from './addon.ts';
import type { InstallFiles } from './files.ts';
import type { InstallFolders } from './folders.ts';
import type { AccessPlan } from './plan-access.ts';
import { type GivenConfiguration, planConfiguration, repairConfigurations } from './plan-configuration.ts';
import { peerProgram, planExecutables } from './plan-executables.ts';
import { creationSteps, planFolder } from './plan-folder.ts';
import { repairExecutables } from './repair.ts';
import type { InstallStep } from './step.ts';

/** What to install, and where. */
export interface InstallRequest {
  /** The executable to install. */
  readonly source: string;
  readonly addon: Addon | undefined;
  readonly folders: InstallFolders;
  readonly given: GivenConfiguration | undefined;
  /** The plugins whose names get a copy of win-hcn. */
  readonly replace: readonly string[];
  readonly park: boolean;
  readonly windows: boolean;
  /** The folder of the logs' folder; undefined if there is no default log. */
  readonly logHome: string | undefined;
  readonly access: Pick<AccessPlan, 'steps' | 'distrusted'>;
}

/** What an installation changes, and what the user must know. */
export interface InstallPlan {
  readonly folders: InstallFolders;
  readonly steps: readonly InstallStep[];
  readonly remarks: readonly string[];
}

/** Plans an installation over whatever is installed. Reads the disk only; throws CniError if it must not be changed. */
export function planInstall(request: InstallRequest, files: InstallFiles): InstallPlan {
  const { source, addon, folders, given, replace, park, windows, logHome, access } = request;
  const bin = planFolder(folders.bin, files);
  const conf = planFolder(folders.conf, files);
  const home = logHome === undefined ? [] : [planFolder(logHome, files)];
  const configuration =
    given === undefined
      ? []
      : planConfiguration({ folder: conf.path, given, park, maxConfNum: folders.maxConfNum }, files);
  const peers = replace.map(peerProgram);
  return {
    folders: { ...folders, bin: bin.path, conf: conf.path },
    steps: [
      ...creationSteps([bin, conf, ...home], windows),
      ...access.steps,
      ...planAddon(addon, { folder: bin.path, distrusted: access.distrusted }, files),
      ...planExecutables({ source, folder: bin.path, peers, distrusted: access.distrusted }, files),
      ...configuration,
    ],
    remarks: [...bin.remarks, ...conf.remarks],
  };
}

/** `distrusted`: written again even if it has the right content now. */
export function planAddon(
  addon: Addon | undefined,
  { folder, distrusted }: { readonly folder: string; readonly distrusted: readonly string[] },
  files: InstallFiles,
): readonly InstallStep[] {
  if (addon === undefined) return [];
  const path = joinPath(folder, addon.name);
  const found = files.status(path);
  const isEqual =
    !distrusted.includes(path) &&
    found?.kind === 'file' &&
    found.links === 1 &&
    files.identify(path).sha256 === sha256Of(addon.bytes);
  return isEqual ? [] : [{ do: 'write addon', path, bytes: addon.bytes }];
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * Repairs what an interrupted command left in both folders: files that were not written completely, programs without their name, and
 * configurations of these kinds. Throws CniError if a path is not that of a folder.
 */
export function repairInstallation(
  folders: InstallFolders,
  kinds: readonly ('unfinished' | 'removed')[],
  files: InstallFiles,
): void {
  const [bin, conf] = [planFolder(folders.bin, files), planFolder(folders.conf, files)];
  if (bin.missing.length === 0) repairExecutables(bin.path, files);
  if (conf.missing.length === 0) repairConfigurations(conf.path, kinds, files);
}
