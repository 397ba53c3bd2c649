import type { Command } from 'commander';
import { CniError, code } from '../../cni/error.ts';
import { HcnMissing } from '../../hcn/errors.ts';
import { isOwnNetwork } from '../../model/ownership.ts';
import type { FolderFlags } from '../containerd/runtime-folders.ts';
import { endpointRows } from '../inventory/endpoint-row.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import { newCommand } from '../terminal/new-command.ts';
import { binDirOption, confDirOption, type YesFlag, yesOption } from '../terminal/options.ts';
import { quote } from '../terminal/powershell.ts';
import { failureMessage, type Session } from '../terminal/session.ts';
import { countText } from '../terminal/short-text.ts';
import { parentFolder } from '../terminal/windows-path.ts';
import { configurationRemovals } from './configurations.ts';
import { executableRemovals } from './executable.ts';
import { type InstallFiles, installFiles } from './files.ts';
import { findFolders, type InstallFolders } from './folders.ts';
import { type Plan, runPlan } from './plan.ts';

interface Flags extends FolderFlags, YesFlag {
  readonly force?: true;
}

/** `uninstall`: removes an installation from this node. */
export function uninstallCommand(session: Session): Command {
  return newCommand('uninstall', session, {
    summary: 'remove win-hcn from this node',
    description:
      "Renames win-hcn's configurations to NAME.win-hcn-removed and replaces links to win-hcn.exe with NAME.before-win-hcn, if " +
      'that exists. Then it deletes remaining links, win-hcn.exe, its previous version and its addon. ' +
      'It refuses while pods use win-hcn, because containerd could not delete them: drain the node first. Networks and logs ' +
      'stay; to delete a network, run win-hcn network delete before. Run it as an administrator.',
    examples: ['win-hcn uninstall', 'win-hcn uninstall --yes'],
  })
    .option(...binDirOption)
    .option(...confDirOption)
    .option('--force', 'also uninstall while pods use win-hcn')
    .option(...yesOption)
    .action(async (flags: Flags) => {
      const folders = await findFolders(flags, session, installFiles);
      const plan = () => planRemoval(folders, flags, installFiles, session);
      await runPlan(plan, [folders.bin, folders.conf], flags.yes, installFiles, session);
    });
}

async function planRemoval(
  { bin, conf }: InstallFolders,
  { yes, force }: Flags,
  files: InstallFiles,
  session: Session,
): Promise<Plan> {
  // The configurations are out of force before the executable is deleted.
  const changes = [...configurationRemovals(conf.path, files), ...executableRemovals(bin.path, files)];
  const { problem, networks } = changes.length === 0 || force ? nothing : await findUse(session);
  if (yes && problem !== undefined) throw new CniError(code.tryAgainLater, problem);
  const { logFile } = session.system;
  return {
    changes,
    remarks: [
      ...networks.map(
        (name) =>
          `Network "${name}" stays. To delete it first, run win-hcn network delete ${quote(name)} --yes.`,
      ),
      ...(problem === undefined ? [] : [problem]),
    ],
    unchanged: `win-hcn is not installed in ${bin.path}. Nothing to change.`,
    done: [
      'win-hcn is uninstalled.',
      ...(logFile === '' ? [] : [`The logs stay in ${parentFolder(logFile)}.`]),
    ],
  };
}

/** What still needs win-hcn. */
interface Use {
  /** Why win-hcn must stay, as sentences. */
  readonly problem: string | undefined;
  /** The names of the networks that win-hcn created. */
  readonly networks: readonly string[];
}

const nothing: Use = { problem: undefined, networks: [] };
const advice = 'without win-hcn.exe, containerd cannot delete them.';

/** Finds pods and networks of win-hcn. If HNS does not list them, they count as present. */
async function findUse(session: Session): Promise<Use> {
  try {
    const inventory = await readInventory(session);
    const pods = endpointRows(inventory).filter(
      ({ owner, namespace, leftover }) =>
        owner === 'win-hcn' && namespace !== undefined && leftover === undefined,
    );
    const problem = `${countText(pods.length, 'pod endpoint')} exists that win-hcn created, and ${advice} Drain the node and run this command again, or add --force.`;
    return {
      problem: pods.length === 0 ? undefined : problem,
      networks: inventory.networks.filter(isOwnNetwork).map(({ Name }) => Name),
    };
  } catch (error) {
    // Without the library of HCN there are no pods.
    if (error instanceof HcnMissing) return nothing;
    const problem = `Pods may have endpoints of win-hcn, and ${advice} Run this command again when HNS responds, or add --force. ${failureMessage(error, false)}`;
    return { problem, networks: [] };
  }
}
