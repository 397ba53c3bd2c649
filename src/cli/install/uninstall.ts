import type { Command } from 'commander';
import { CniError, code } from '../../cni/error.ts';
import { HcnMissing } from '../../hcn/errors.ts';
import { isOwnNetwork } from '../../model/ownership.ts';
import type { FolderFlags } from '../containerd/runtime-folders.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import {
  attachedEndpoints,
  countAttached,
  type DeleteFlags,
  deleteNetwork,
} from '../network/delete-network.ts';
import { newCommand } from '../terminal/new-command.ts';
import { binDirOption, confDirOption, yesOption } from '../terminal/options.ts';
import { exitCode, failureMessage, type Session } from '../terminal/session.ts';
import { joinPath, parentFolder } from '../terminal/windows-path.ts';
import { findFolders, type InstallFolders } from './access.ts';
import { type Configuration, configurationRemovals, findConfigurations, readOurs } from './configurations.ts';
import { executableRemovals } from './executables.ts';
import { applyChanges } from './file-changes.ts';
import { type InstallFiles, installFiles } from './files.ts';
import { executableName } from './names.ts';
import {
  type Established,
  endDryRun,
  inFolders,
  printChanges,
  printSentences,
  type WatchFlags,
  watchFiles,
  withWatch,
} from './run-command.ts';

interface Flags extends FolderFlags, WatchFlags {
  readonly keepNetworks?: true;
  readonly force?: true;
}

/** `uninstall`: removes an installation from this node. */
export function uninstallCommand(session: Session): Command {
  const command = newCommand('uninstall', session, {
    summary: 'remove win-hcn from this node',
    description:
      "Renames the configurations for win-hcn in containerd's configuration folder to NAME.win-hcn-removed, then deletes the networks that win-hcn created for " +
      'them, then win-hcn.exe, its previous version and its addon. The addresses of the source VIPs of these networks are released. ' +
      'Executables and configurations that install has replaced or parked are restored first. Pods that win-hcn has attached prevent this, except with --force: without win-hcn.exe, containerd ' +
      'cannot delete them. Drain the node first. A file in use is renamed if Windows does not delete it. ' +
      'Logs stay. Without --yes, win-hcn only shows the steps. Run it as an administrator.',
    examples: ['win-hcn uninstall', 'win-hcn uninstall --yes', 'win-hcn uninstall --keep-networks --yes'],
  })
    .option(...binDirOption)
    .option(...confDirOption)
    .option('--keep-networks', 'do not delete networks')
    .option('--force', 'also uninstall while pods use its networks')
    .option(...yesOption);
  return withWatch(
    command,
    'uninstall again if win-hcn is installed again',
    'empty file, present only while win-hcn is not installed, for readiness probes',
  ).action((flags: Flags) =>
    watchFiles(() => uninstallNode(flags, installFiles, session), flags, command, installFiles, session),
  );
}

/** Returns the file that is missing then. */
async function uninstallNode(flags: Flags, files: InstallFiles, session: Session): Promise<Established> {
  const folders = await findFolders(flags, session, files);
  await inFolders(folders, flags.yes, files, () => uninstall(flags, folders, files, session));
  return { files: [joinPath(folders.bin.given, executableName)], ready: new Uint8Array() };
}

async function uninstall(
  { yes, keepNetworks, force }: Flags,
  { bin, conf }: InstallFolders,
  files: InstallFiles,
  session: Session,
): Promise<void> {
  const { active, removed } = findConfigurations(conf.path, files);
  const networks = await findNetworks([...active, ...removed], session).catch((cause: unknown) => {
    if (force) return [];
    throw new CniError(code.tryAgainLater, `${unknownPods} ${failureMessage(cause, false)}`, { cause });
  });
  const deletable = keepNetworks ? [] : networks.filter(({ reason }) => reason === undefined);
  const problem = force ? undefined : podsProblem(networks.reduce((sum, { pods }) => sum + pods, 0));
  if (yes && problem !== undefined) throw new CniError(code.tryAgainLater, problem);
  const programs = executableRemovals(bin.path, files);
  const withdrawals = [...programs.restorations, ...configurationRemovals(conf.path, files)];
  const changes = [...withdrawals, ...programs.deletions];
  if (changes.length + deletable.length === 0)
    return session.print(`win-hcn is not installed in ${bin.path}. Nothing to change.`);
  const reasons = keepNetworks ? [] : networks.flatMap(({ reason }) => reason ?? []);
  printChanges(changes, [...reasons, problem ?? []].flat(), session);
  if (!yes) {
    await deleteNetworks(deletable, conf.path, { cniPath: bin.path }, session);
    return deletable.length === 0 ? endDryRun(session) : undefined;
  }
  // The configurations are out of force before a network is deleted, so that no ADD creates it again.
  const withdrawn = await applyChanges(withdrawals, files);
  await deleteNetworks(deletable, conf.path, { cniPath: bin.path, yes }, session);
  const deleted = await applyChanges(programs.deletions, files);
  const { logFile } = session.system;
  const logs = logFile === '' ? [] : [`The logs stay in ${parentFolder(logFile)}.`];
  printSentences(
    [...withdrawn, ...deleted, session.style('green', 'win-hcn is uninstalled.'), ...logs],
    session,
  );
}

const unknownPods =
  'Pods may have endpoints of win-hcn, and without win-hcn.exe, containerd cannot delete them. Run this command again when HNS responds, or add --force.';

/** Without win-hcn.exe, or without a configuration, containerd's DEL of these pods fails, and the pods stay. */
function podsProblem(pods: number): string | undefined {
  if (pods === 0) return undefined;
  const [those, them] = pods === 1 ? ['1 pod has', 'it'] : [`${pods} pods have`, 'them'];
  return `${those} an endpoint of win-hcn, and without win-hcn.exe, containerd cannot delete ${them}. Drain the node and run this command again, or add --force.`;
}

/** Deletes or previews networks. One that cannot be deleted stays. */
async function deleteNetworks(
  networks: readonly ConfiguredNetwork[],
  folder: string,
  flags: DeleteFlags,
  session: Session,
): Promise<void> {
  for (const { configuration } of networks) {
    const path = joinPath(folder, configuration.name);
    try {
      await deleteNetwork(path, flags, { ...session, read: () => configuration.bytes });
    } catch (error) {
      const [reason] = failureMessage(error, false).split('\n');
      session.printStderr(`win-hcn: the network of ${path} or its source VIP stays: ${reason}`);
      session.setExitCode(exitCode.problemFound);
    }
  }
}

/** A network of a configuration for win-hcn. */
interface ConfiguredNetwork {
  readonly configuration: Configuration;
  /** How many pods win-hcn has attached to the network. */
  readonly pods: number;
  /** Why the network must stay, as a sentence; undefined if it can be deleted. */
  readonly reason: string | undefined;
}

/** Finds the existing networks of configurations. Rejects if HNS does not list them. */
async function findNetworks(
  configurations: readonly Configuration[],
  session: Session,
): Promise<readonly ConfiguredNetwork[]> {
  if (configurations.length === 0) return [];
  const inventory = await readInventory(session).catch((error: unknown) => {
    // Without the library of HCN there are no networks.
    if (error instanceof HcnMissing) return undefined;
    throw error;
  });
  const files = configurations.map((configuration) => ({ configuration, ...readOurs(configuration.bytes) }));
  return (inventory?.networks ?? []).flatMap((network) => {
    const file = files.find((one) => one.network === network.Name);
    if (inventory === undefined || file === undefined) return [];
    const attached = attachedEndpoints(network, inventory);
    const pods = attached.pods.filter(({ owner }) => owner === 'win-hcn').length;
    const hint = pods > 0 ? '' : ' win-hcn gc, before you uninstall, deletes leftovers.';
    const count = countAttached(attached);
    const usage = count && `it has ${count}.${hint}`;
    const reason = isOwnNetwork(network) && file.isCreated ? usage : 'another program created it.';
    const kept = reason === '' ? undefined : `Network "${network.Name}" is not deleted: ${reason}`;
    return [{ configuration: file.configuration, pods, reason: kept }];
  });
}
