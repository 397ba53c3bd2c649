import { readIpamType } from '../../../config/essential-keys.ts';
import { pluginName } from '../../../config/open-config.ts';
import { isAboutGateway } from '../../conflist/checks.ts';
import { type ConfFile, programsOf } from '../../conflist/conf-file.ts';
import { type Diagnostic, saveAsUtf8 } from '../../conflist/config-file.ts';
import { confsInForce } from '../../conflist/files.ts';
import { findConfigPath } from '../../containerd/commands.ts';
import { areFoldersCertain, type Containerd, usesDefaults } from '../../containerd/read-containerd.ts';
import { quote, quoteAlways } from '../../terminal/powershell.ts';
import { fileName, isSamePath, joinPath } from '../../terminal/windows-path.ts';
import { type Check, type Diagnosis, fail, orPass, pass, unknown, warn } from '../finding.ts';
import { podEndpoints } from '../pod-endpoints.ts';
import { isInForce } from '../runtime.ts';
import type { Snapshot } from '../snapshot.ts';

const see = 'Get-CimInstance Win32_Service -Filter "Name=\'containerd\'" | Format-List State, PathName';

/** Checks that containerd runs, and shows its folders for configurations and plugins. */
export const containerd: Check = {
  name: 'containerd',
  diagnose: ({ containerd: runtime }) => [...diagnoseState(runtime), diagnoseConfig(runtime)],
};

function diagnoseState({ commands }: Containerd): readonly Diagnosis[] {
  if ('error' in commands) return [];
  const { serviceCommandLines, commandLines } = commands.value;
  const running = commandLines.filter((line) => !serviceCommandLines.includes(line));
  const own = findConfigPath(serviceCommandLines);
  const paths = running.map((line) => findConfigPath([line]));
  const [other] = paths;
  // Docker runs its own containerd beside the service; a service may start containerd by another program.
  const isKnown = serviceCommandLines.some((line) => /containerd(\.exe)?(["\s]|$)/i.test(line));
  if (isKnown && other !== undefined && !paths.some((path) => isSamePath(path, own)))
    return [fail(`containerd.exe runs with ${other}, but its service has ${own}`, { see })];
  if (commands.value.isRunning) return [];
  return commands.value.isService
    ? [fail('service containerd is not running', { fix: 'Start-Service containerd' })]
    : [warn('containerd is not running, and there is no service containerd', { see })];
}

function diagnoseConfig(containerd: Containerd): Diagnosis {
  const { path, commands, config, folders } = containerd;
  const { binDirs, confDir } = folders;
  const where = `plugins in ${binDirs.join(', ')}, configurations in ${confDir}`;
  if ('error' in config) {
    if (usesDefaults(containerd)) return pass(`${where}: the defaults, because ${path} does not exist`);
    if (config.error.includes('Invalid TOML'))
      return fail(`${path}: ${config.error}; write Windows paths in single quotes`, {
        see: `containerd --config ${quote(path)} config dump`,
      });
    return unknown(`cannot read ${path}: ${config.error}; defaults: ${where}`);
  }
  const seen = `${where}; ${path}`;
  if ('error' in commands)
    return unknown(`${seen}; containerd may use another configuration: its command line is unknown`);
  const { problem } = config.value;
  if (problem === undefined) return pass(seen);
  return warn(`${seen}: ${problem}`, { see: `containerd --config ${quote(path)} config dump` });
}

/** Checks that the plugins of the files that containerd uses, and of win-hcn's configuration, are in the runtime's folders. */
export const plugins: Check = {
  name: 'plugins',
  diagnose: (snapshot) => {
    const { configuration, containerd: runtime, executable } = snapshot;
    const { binDirs, maxConfNum } = runtime.folders;
    const listed = 'value' in configuration.files ? configuration.files.value : [];
    const files = new Set([
      ...[configuration.used].filter((file) => file !== undefined),
      ...confsInForce(listed, maxConfNum),
    ]);
    const users = Map.groupBy(
      [...files].flatMap((file) => programsOf(file).map((type) => ({ type, name: fileName(file.path) }))),
      ({ type }) => type,
    );
    if (users.size === 0) return [];
    const found = [...users.keys()].flatMap((type) => configuration.programs[type] ?? []);
    const report = areFoldersCertain(runtime) ? fail : unknown;
    const folder = binDirs[0] ?? '';
    const missing = [...users].filter(([type]) => configuration.programs[type] === undefined);
    const problems = missing.map(([type, group]) => {
      const target = joinPath(folder, `${type}.exe`);
      const isCopied = pluginName(type) === 'win-hcn' && !isSamePath(executable, target);
      const names = [...new Set(group.map(({ name }) => name))].join(', ');
      return report(
        `no ${type}.exe in ${binDirs.join(', ')}, which ${names} needs`,
        isCopied
          ? { fix: `Copy-Item ${quote(executable)} ${quote(target)}` }
          : { see: `Get-ChildItem ${quote(folder)}` },
      );
    });
    return orPass([...problems, ...diagnoseIpamVersion(configuration)], found.join(', '));
  },
};

function diagnoseIpamVersion(configuration: Snapshot['configuration']): readonly Diagnosis[] {
  const { plugin, programs, ipamVersions } = configuration;
  const { cniVersion = '0.1.0' } = plugin?.config ?? {};
  if (plugin === undefined || ipamVersions === undefined || ipamVersions.includes(cniVersion)) return [];
  const program = programs[readIpamType(plugin.config) ?? ''];
  const seen = (runtime: string) =>
    `${program} does not support CNI version ${cniVersion}: every ADD fails${runtime}; update it, or remove the version from the configuration`;
  const isForOlder = ipamVersions.includes(plugin.ownVersion ?? '0.1.0');
  return [isForOlder ? warn(seen(' with containerd 2.0 or later'), {}) : fail(seen(''), {})];
}

const consequence = 'containerd cannot start pods that need a network';

/** Shows the configuration that pods get, and checks that it is win-hcn's. */
export const winningConf: Check = {
  name: 'active conf',
  diagnose: (snapshot) => {
    const { configuration, containerd } = snapshot;
    const { confDir } = containerd.folders;
    const see = `Get-ChildItem ${quote(confDir)}`;
    if ('error' in configuration.files) {
      const { error } = configuration.files;
      const isCertain = areFoldersCertain(containerd);
      return [isCertain ? fail(`${error}: ${consequence}`, { see }) : unknown(error, { see })];
    }
    const confs = configuration.files.value;
    const stopped = confsInForce(confs, containerd.folders.maxConfNum).flatMap(diagnoseStopping);
    if (stopped.length > 0) return stopped;
    const [first, ...others] = confs;
    if (first !== undefined) return [diagnoseFirst(first, others, snapshot)];
    const names = '.conf, .conflist or .json file (lower case, without .txt)';
    return [fail(`no ${names} in ${confDir}: ${consequence}`, { see })];
  },
};

/** The problems of a file that no runtime can use. */
function diagnoseStopping({ path, stopping }: ConfFile): readonly Diagnosis[] {
  return stopping.map(({ line, column, text }) => {
    const at = line + column > 2 ? `line ${line}, column ${column}: ` : '';
    const [problem, command] = text.split(`: ${saveAsUtf8('PATH')}`);
    const details =
      command === undefined ? { see: seeFile({ path }) } : { fix: saveAsUtf8(quoteAlways(path)) };
    return fail(`${path}: ${at}${problem}: ${consequence}`, details);
  });
}

function diagnoseFirst(first: ConfFile, others: readonly ConfFile[], snapshot: Snapshot): Diagnosis {
  const { owners } = snapshot.configuration;
  const { folders } = snapshot.containerd;
  const types = first.plugins.map(({ type }) => type);
  const conf = `${first.path}: network "${first.network}", plugin ${types.join(', ')}`;
  const owner = owners.get(first);
  if (owner === 'unknown')
    return unknown(`${conf}; that plugin may be a copy of win-hcn`, {
      see: `Get-ChildItem ${quote(folders.binDirs[0] ?? '')} | Select-Object Name, @{ n = 'Product'; e = { $_.VersionInfo.ProductName } }`,
    });
  if (owner === 'win-hcn') {
    const names = others.map(({ path }) => fileName(path)).join(', ');
    const max = folders.maxConfNum;
    const label = max === 1 ? 'ignored' : `others (max_conf_num is ${max})`;
    return pass(others.length === 0 ? conf : `${conf}; ${label}: ${names}`);
  }
  const ours = others.find((file) => owners.get(file) === 'win-hcn');
  if (ours !== undefined) return diagnosePrecedence(first, ours, conf, snapshot);
  // An invalid file may be the one that configures win-hcn, under another name.
  const valid = others.some(({ plugins }) => plugins.length === 0) ? 'valid ' : '';
  return pass(`${conf}; no ${valid}file configures win-hcn: nothing is compared with a configuration`);
}

/** Stops pods only if they are all on win-hcn's network: otherwise the first file may be the wanted one. */
function diagnosePrecedence(first: ConfFile, ours: ConfFile, conf: string, { inventory }: Snapshot) {
  const seen = `${conf}; it takes precedence over ${fileName(ours.path)}`;
  const pods = 'value' in inventory ? podEndpoints(inventory.value) : [];
  const others = pods.filter(({ row }) => row.network !== ours.network || row.owner !== 'win-hcn').length;
  const fix = `Rename-Item ${quote(first.path)} ${quote(`${fileName(first.path)}.off`)}`;
  if (pods.length > 0 && others === 0) return fail(seen, { fix });
  const on = `endpoints of pods that are not win-hcn's on "${ours.network}": ${others}`;
  return warn(`${seen} (${on}): delete the file that this node does not need`, { see: 'win-hcn ls pods' });
}

function seeFile({ path }: Pick<ConfFile, 'path'>): string {
  return `win-hcn config check ${quote(path)}`;
}

/** Checks that the runtime and win-hcn can read the file that checks use. Check active conf reports what stops every runtime. */
export const validConf: Check = {
  name: 'configuration',
  diagnose: (snapshot) => {
    const { files, used: file } = snapshot.configuration;
    if (file === undefined) return [];
    const first = 'value' in files ? files.value[0] : undefined;
    const stopping = isInForce(snapshot) ? file.stopping.map(({ text }) => text) : [];
    const name = fileName(file.path);
    const reported = (report: typeof warn, { line, column, text }: Diagnostic) =>
      report(`${file === first ? '' : `${name}: `}line ${line}, column ${column}: ${text}`, {
        see: seeFile(file),
      });
    // The check of pods knows whether the node has their gateway.
    const warnings = file.report.warnings.filter((warning) => !isAboutGateway(warning));
    const found = [
      ...file.report.problems
        .filter(({ text }) => !stopping.includes(text))
        .map((problem) => reported(fail, problem)),
      ...warnings.map((warning) => reported(warn, warning)),
    ];
    if (stopping.length > 0) return found;
    return orPass(found, `${name} is valid: keys, values, ranges, capabilities`);
  },
};
