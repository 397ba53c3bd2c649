import { pluginName } from '../../../config/open-config.ts';
import { type ConfFile, programsOf } from '../../conflist/conf-file.ts';
import type { Diagnostic } from '../../conflist/config-file.ts';
import type { CniFolders, ContainerdConfig } from '../../containerd/config.ts';
import { areFoldersCertain, type Containerd } from '../../containerd/read-containerd.ts';
import { quote } from '../../terminal/powershell.ts';
import { firstFew } from '../../terminal/short-text.ts';
import { fileName, joinPath } from '../../terminal/windows-path.ts';
import { type Check, type Diagnosis, fail, pass, unknown, warn } from '../finding.ts';
import type { Configuration } from '../runtime.ts';
import type { Snapshot } from '../snapshot.ts';

const see = 'Get-CimInstance Win32_Service -Filter "Name=\'containerd\'" | Format-List State, PathName';

/** Checks that containerd runs, and shows its folders for configurations and plugins. */
export const containerd: Check = {
  name: 'containerd',
  diagnose: ({ containerd: runtime }) => [...diagnoseState(runtime), diagnoseConfig(runtime)],
};

function diagnoseState({ commands }: Containerd): readonly Diagnosis[] {
  if ('error' in commands || commands.value.isRunning) return [];
  return commands.value.isService
    ? [fail('service containerd is not running', { fix: 'Start-Service containerd' })]
    : [warn('containerd is not running, and there is no service containerd', { see })];
}

function diagnoseConfig({ path, commands, config, folders }: Containerd): Diagnosis {
  const { binDirs, confDir } = folders;
  const where = `plugins in ${binDirs.join(', ')}, configurations in ${confDir}`;
  if ('error' in config) {
    if (config.error.includes('Invalid TOML'))
      return fail(`${path}: ${config.error}; write Windows paths in single quotes`, {
        see: `containerd --config ${quote(path)} config dump`,
      });
    return unknown(`cannot read ${path}: ${config.error}; defaults: ${where}`);
  }
  const seen = `${where} (${path}, version ${config.value.version})`;
  if ('error' in commands)
    return unknown(`${seen}; containerd may use another configuration: its command line is unknown`);
  const uncertainty = findUncertainty(config.value);
  if (uncertainty === undefined) return pass(seen);
  const { version, hasBoth } = config.value;
  const report = hasBoth && version >= 3 ? fail : warn;
  return report(`${seen}; ${uncertainty}`, { see: `containerd --config ${quote(path)} config dump` });
}

/** Why containerd may use other folders, or none. */
function findUncertainty(config: ContainerdConfig): string | undefined {
  const { version, table, ignoredTable, hasBoth, dependsOnRelease, otherRuntimes } = config;
  if (hasBoth)
    return 'bin_dir and bin_dirs are both set, which containerd rejects if it supports bin_dirs: remove one of them';
  if (ignoredTable !== undefined)
    return `${ignoredTable} belongs to another version and is ignored; version ${version} reads ${table}`;
  if (dependsOnRelease)
    return 'containerd 1.x uses other folders, because an import replaces the whole CRI table there: repeat its cni settings in the import';
  return otherRuntimes.length === 0
    ? undefined
    : `pods of runtime ${otherRuntimes.join(', ')} use another folder (cni_conf_dir), which is not checked`;
}

/** Checks that the plugins of win-hcn's configuration are in the runtime's folders; if there is none, those of the active one. */
export const plugins: Check = {
  name: 'plugins',
  diagnose: (snapshot) => {
    const { configuration, containerd: runtime, executable } = snapshot;
    const { binDirs } = runtime.folders;
    const file = configuration.used ?? firstConf(configuration);
    const types = file === undefined ? [] : [...new Set(programsOf(file))];
    const found = types.flatMap((type) => configuration.programs[type] ?? []);
    const missing = types.filter((type) => configuration.programs[type] === undefined);
    if (missing.length === 0) return found.length === 0 ? [] : [pass(found.join(', '))];
    const report = areFoldersCertain(runtime) ? fail : unknown;
    const folder = binDirs[0] ?? '';
    return missing.map((type) =>
      report(
        `no ${type}.exe in ${binDirs.join(', ')}`,
        pluginName(type) === 'win-hcn'
          ? { fix: `Copy-Item ${quote(executable)} ${quote(joinPath(folder, `${type}.exe`))}` }
          : { see: `Get-ChildItem ${quote(folder)}` },
      ),
    );
  },
};

/** The file that containerd uses; undefined if the folder is empty or cannot be read. */
function firstConf({ files }: Configuration): ConfFile | undefined {
  return 'value' in files ? files.value[0] : undefined;
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
      const isCertain = areFoldersCertain(containerd);
      const { error } = configuration.files;
      const seen = error.endsWith('no such folder')
        ? `folder ${confDir} does not exist${isCertain ? `: ${consequence}` : ''}`
        : error;
      return [(isCertain ? fail : unknown)(seen, { see })];
    }
    const [first, ...others] = configuration.files.value;
    if (first === undefined)
      return [fail(`no .conf, .conflist or .json file in ${confDir}: ${consequence}`, { see })];
    return [diagnoseFirst(first, others, snapshot)];
  },
};

function diagnoseFirst(
  first: ConfFile,
  others: readonly ConfFile[],
  { configuration, containerd: { folders } }: Snapshot,
): Diagnosis {
  const { owners, used, isGiven } = configuration;
  if (first.plugins.length === 0) {
    const stops = isGiven ? '' : '; containerd stops there';
    const usedInstead =
      used === undefined || used === first ? '' : `; the other checks use ${fileName(used.path)}`;
    return fail(`${first.path} is invalid${stops}${usedInstead}`, {
      see: `win-hcn config check ${quote(first.path)}`,
    });
  }
  const types = first.plugins.map(({ type }) => type || 'without type');
  const given = isGiven ? ' (given with --conf)' : '';
  const conf = `${first.path}${given}: network "${first.network}", plugin ${firstFew(types)}`;
  const owner = owners.get(first);
  if (owner === 'unknown')
    return unknown(`${conf}; that plugin may be a copy of win-hcn`, {
      see: `Get-ChildItem ${quote(folders.binDirs[0] ?? '')} | Select-Object Name, @{ n = 'Product'; e = { $_.VersionInfo.ProductName } }`,
    });
  if (owner === 'win-hcn') return pass(`${conf}${describeOthers(others, configuration, folders)}`);
  const ours = others.find((file) => owners.get(file) === 'win-hcn');
  if (ours === undefined) return withoutOurs(conf, others);
  const use = ours.plugins.length === 0 ? '' : ', which the other checks use';
  return fail(`${conf}; it takes precedence over ${fileName(ours.path)}${use}`, {
    fix: `Rename-Item ${quote(first.path)} ${quote(`${fileName(first.path)}.off`)}`,
  });
}

/** An invalid file may be the one that configures win-hcn, under another name. */
function withoutOurs(conf: string, others: readonly ConfFile[]): Diagnosis {
  const [invalid] = others.filter(({ plugins }) => plugins.length === 0);
  if (invalid === undefined)
    return pass(`${conf}; no file configures win-hcn: nothing is compared with a configuration`);
  return fail(`${conf}; no valid file configures win-hcn, and ${fileName(invalid.path)} is invalid`, {
    see: `win-hcn config check ${quote(invalid.path)}`,
  });
}

/** Which of the other files containerd uses, and which it ignores. */
function describeOthers(
  others: readonly ConfFile[],
  { isGiven }: Configuration,
  { maxConfNum }: CniFolders,
): string {
  if (others.length === 0 || isGiven) return '';
  const count = maxConfNum === 0 ? others.length : Math.min(others.length, maxConfNum - 1);
  const names = others.map(({ path }) => fileName(path));
  const [used, ignored] = [names.slice(0, count), names.slice(count)];
  return [
    used.length === 0 ? '' : `; further interfaces from ${firstFew(used)} (max_conf_num is ${maxConfNum})`,
    ignored.length === 0 ? '' : `; ignored: ${firstFew(ignored)}`,
  ].join('');
}

/** Checks that the runtime and win-hcn can read the file that checks use, or if there is none, an invalid active one. */
export const validConf: Check = {
  name: 'configuration',
  diagnose: ({ configuration }) => {
    const first = firstConf(configuration);
    const file = configuration.used ?? (first?.plugins.length === 0 ? first : undefined);
    if (file === undefined) return [];
    const { problems, warnings } = file.report;
    const of = file === first ? '' : `${fileName(file.path)}: `;
    const see = `win-hcn config check ${quote(file.path)}`;
    if (problems.length > 0) return [fail(`${of}${firstOf(problems)}`, { see })];
    if (warnings.length > 0) return [warn(`${of}${firstOf(warnings)}`, { see })];
    return [pass(`${of}no problems`)];
  },
};

/** The first of some problems, and the number of the others. */
function firstOf([first, ...others]: readonly Diagnostic[]): string {
  const more = others.length === 0 ? '' : `; ${others.length} more`;
  return `line ${first?.line}, column ${first?.column}: ${first?.text}${more}`;
}
