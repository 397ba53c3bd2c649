import { pluginName } from '../../../config/open-config.ts';
import type { Check, Diagnosis } from '../check.ts';
import { areFoldersCertain, type Containerd } from '../facts.ts';
import { quote } from '../powershell.ts';
import type { ContainerdConfig } from '../runtime/containerd-config.ts';
import { joinPath } from '../windows-path.ts';

const see = 'Get-CimInstance Win32_Service -Filter "Name=\'containerd\'" | Format-List State, PathName';

/** Checks that containerd runs, and shows its folders for configurations and plugins. */
export const containerd: Check = {
  name: 'containerd',
  diagnose: ({ containerd: runtime }) => [...diagnoseState(runtime), diagnoseConfig(runtime)],
};

function diagnoseState({ commands }: Containerd): readonly Diagnosis[] {
  if ('error' in commands || commands.value.isRunning) return [];
  return commands.value.isService
    ? [{ verdict: 'FAIL', seen: 'service containerd is not running', fix: 'Start-Service containerd' }]
    : [{ verdict: 'WARN', seen: 'containerd is not running, and there is no service containerd', see }];
}

function diagnoseConfig({ path, commands, config, folders }: Containerd): Diagnosis {
  const { binDirs, confDir } = folders;
  const where = `plugins in ${binDirs.join(', ')}, configurations in ${confDir}`;
  if ('error' in config)
    return { verdict: 'UNKNOWN', seen: `cannot read ${path} (${config.error}); defaults: ${where}`, see };
  const seen = `${where} (${path}, version ${config.value.version})`;
  if ('error' in commands)
    return {
      verdict: 'UNKNOWN',
      seen: `${seen}; containerd may use another configuration: its command line is unknown (${commands.error})`,
      see,
    };
  const doubt = findDoubt(config.value);
  if (doubt === undefined) return { verdict: 'PASS', seen };
  return { ...doubt, seen: `${seen}; ${doubt.seen}`, see: `containerd --config ${quote(path)} config dump` };
}

/** Why containerd may use other folders, or none. */
function findDoubt(config: ContainerdConfig): Diagnosis | undefined {
  const { version, table, ignoredTable, hasBoth, otherRuntimes, imports } = config;
  if (hasBoth)
    return {
      verdict: version >= 3 ? 'FAIL' : 'WARN',
      seen: 'bin_dir and bin_dirs are both set, which containerd rejects if it supports bin_dirs: remove one of them',
    };
  if (ignoredTable !== undefined)
    return {
      verdict: 'WARN',
      seen: `${ignoredTable} belongs to another version and is ignored; version ${version} reads ${table}`,
    };
  if (otherRuntimes.length > 0)
    return {
      verdict: 'WARN',
      seen: `pods of runtime ${otherRuntimes.join(', ')} use another folder (cni_conf_dir), which is not checked`,
    };
  if (imports.length === 0) return undefined;
  return { verdict: 'WARN', seen: `imports may override this and are not checked: ${imports.join(', ')}` };
}

/** Checks that the plugins of the configuration are in the runtime's folders. */
export const plugins: Check = {
  name: 'plugins',
  diagnose: ({ configuration: { programs }, containerd: runtime, executable }) => {
    const { binDirs } = runtime.folders;
    const found = Object.values(programs).filter((path) => path !== undefined);
    const missing = Object.keys(programs).filter((type) => programs[type] === undefined);
    if (missing.length === 0) return found.length === 0 ? [] : [{ verdict: 'PASS', seen: found.join(', ') }];
    const verdict = areFoldersCertain(runtime) ? 'FAIL' : 'UNKNOWN';
    const folder = binDirs[0] ?? '';
    return missing.map((type) => ({
      verdict,
      seen: `no ${type}.exe in ${binDirs.join(', ')}`,
      ...(pluginName(type) === 'win-hcn'
        ? { fix: `Copy-Item ${quote(executable)} ${quote(joinPath(folder, `${type}.exe`))}` }
        : { see: `Get-ChildItem ${quote(folder)}` }),
    }));
  },
};
