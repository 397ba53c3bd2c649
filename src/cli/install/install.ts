import type { Command } from 'commander';
import { CniError, code } from '../../cni/error.ts';
import { checkFile } from '../conflist/check-file.ts';
import { displayName } from '../conflist/config-file.ts';
import type { FolderFlags } from '../containerd/runtime-folders.ts';
import { newCommand } from '../terminal/new-command.ts';
import { binDirOption, confDirOption, type YesFlag, yesOption } from '../terminal/options.ts';
import { quote } from '../terminal/powershell.ts';
import type { Session } from '../terminal/session.ts';
import { fileName, joinPath, parentFolder } from '../terminal/windows-path.ts';
import { accessChanges } from './access.ts';
import {
  type Configuration,
  configurationChanges,
  describeDisplaced,
  listConfigurations,
} from './configurations.ts';
import { addonChanges, executableChanges, ownAddon } from './executable.ts';
import { type InstallFiles, installFiles } from './files.ts';
import { findFolders, type InstallFolders, resolveFolder } from './folders.ts';
import { type Plan, runPlan } from './plan.ts';
import { fillConflist, type NodeFlags, nodeOption } from './pod-cidrs.ts';

interface Flags extends FolderFlags, NodeFlags, YesFlag {
  readonly conf?: string;
}

/** The name of a configuration from stdin. */
const defaultName = '10-win-hcn.conflist';

/** `install`: installs the running exe on this node. */
export function installCommand(session: Session): Command {
  return newCommand('install', session, {
    summary: 'install win-hcn on this node',
    description:
      "Copies this executable and its addon to containerd's plugin folder, and with --conf a configuration to its configuration " +
      'folder, as config.toml names them; without containerd, to C:\\opt\\cni\\bin and C:\\etc\\cni\\net.d. Restricts missing ' +
      'folders that it creates to administrators and SYSTEM. Replaces an older version, even while containerd runs it, and ' +
      'keeps it as win-hcn.exe.previous. If a step fails, it undoes the steps before. Run it as an administrator.',
    examples: [
      'win-hcn install',
      'win-hcn install --conf 10-win-hcn.conflist --yes',
      'win-hcn install --bin-dir C:\\k\\azurecni\\bin --conf-dir C:\\k\\azurecni\\netconf --yes',
    ],
  })
    .option(...binDirOption)
    .option(...confDirOption)
    .option('--conf <file>', 'install this conflist or plugin configuration, or - for stdin')
    .addOption(nodeOption())
    .option(...yesOption)
    .action(async (flags: Flags) => {
      const given = await readGiven(flags, session);
      const folders = await findFolders(flags, session, installFiles);
      const { bin, conf } = folders;
      session.print(`plugin folder         ${bin.path}\nconfiguration folder  ${conf.path}`);
      const plan = () => planInstallation(folders, given, installFiles, session);
      await runPlan(plan, [bin, conf], flags.yes, installFiles, session);
    });
}

/** Reads the configuration of `--conf` and fills its placeholders. Throws CniError with its problems. */
async function readGiven(flags: Flags, session: Session): Promise<Configuration | undefined> {
  const { conf: path } = flags;
  if (path === undefined) return undefined;
  const name = path === '-' ? defaultName : fileName(path);
  const bytes = await fillConflist(session.read(path), name, flags, session);
  const { problems } = checkFile(bytes, name, session.system.executable);
  if (problems.length === 0) return { name, bytes };
  const lines = problems.map(
    ({ line, column, text }) => `${displayName(name)}:${line}:${column}: problem: ${text}`,
  );
  throw new CniError(code.invalidConfig, `${path} is invalid`, { details: lines.join('\n') });
}

async function planInstallation(
  { bin, conf, maxConfNum }: InstallFolders,
  given: Configuration | undefined,
  files: InstallFiles,
  session: Session,
): Promise<Plan> {
  const { executable, logFile } = session.system;
  const logs = logFile === '' ? [] : [resolveFolder(parentFolder(parentFolder(logFile)), files)];
  const access = await accessChanges([bin, conf, ...logs], session);
  const inBin = { folder: bin.path, isOpen: access.isOpen(bin) };
  const inConf = { folder: conf.path, isOpen: access.isOpen(conf), maxConfNum };
  const isConfigured = given !== undefined || listConfigurations(conf.path, files).length > 0;
  const generated = joinPath(conf.path, defaultName);
  const next = isConfigured
    ? 'Next: run win-hcn doctor, and create a pod on this node.'
    : `Next: generate a conflist, with the addresses of your cluster: win-hcn config generate --type L2Bridge --subnet 10.244.1.0/24 --cluster-cidr 10.244.0.0/16 --service-cidr 10.96.0.0/12 --file ${quote(generated)}`;
  return {
    changes: [
      ...access.changes,
      ...addonChanges(ownAddon(), inBin, files),
      ...executableChanges({ source: executable, ...inBin }, files),
      ...(given === undefined ? [] : configurationChanges({ given, ...inConf }, files)),
    ],
    remarks: [...access.remarks, ...(given ? describeDisplaced({ given, ...inConf }, files) : [])],
    unchanged: `win-hcn is installed. Nothing to change.${isConfigured ? '' : ` ${next}`}`,
    done: ['win-hcn is installed.', next],
  };
}
