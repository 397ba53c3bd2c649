import { pluginName } from '../../../config/open-config.ts';
import { programsOf } from '../../conflist/conf-file.ts';
import type { ContainerdConfig } from '../../containerd/config.ts';
import { areFoldersCertain, type Containerd } from '../../containerd/read-containerd.ts';
import { quote } from '../../terminal/powershell.ts';
import { joinPath } from '../../terminal/windows-path.ts';
import { type Check, type Diagnosis, fail, pass, unknown, warn } from '../check.ts';
import { firstConf } from '../facts.ts';
import { noPowerShell } from '../missing-powershell.ts';
import { usedConf } from '../runtime/conf-owner.ts';

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
  if ('error' in config) return unknown(`cannot read ${path}: ${config.error}; defaults: ${where}`, { see });
  const seen = `${where} (${path}, version ${config.value.version})`;
  if ('error' in commands)
    return unknown(
      `${seen}; containerd may use another configuration: its command line is unknown (${commands.error})`,
      commands.error === noPowerShell ? {} : { see },
    );
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
  diagnose: (facts) => {
    const { configuration, containerd: runtime, executable } = facts;
    const { binDirs } = runtime.folders;
    const file = usedConf(facts) ?? firstConf(configuration);
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
