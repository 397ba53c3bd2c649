import type { ContainerdConfig } from '../containerd/cni-folders.ts';
import type { Containerd } from '../facts.ts';
import type { Check, Judgement } from '../finding.ts';
import { quoted } from '../quoted.ts';

const see = 'Get-CimInstance Win32_Service -Filter "Name=\'containerd\'" | Format-List State, PathName';

/** Whether the runtime runs, and which folders it takes configurations and plugins from. */
export const containerd: Check = {
  name: 'containerd',
  judge: ({ containerd: runtime }) => [...judgeRunning(runtime), judgeConfig(runtime)],
};

function judgeRunning({ commands }: Containerd): readonly Judgement[] {
  if ('unknown' in commands || commands.known.isRunning) return [];
  return commands.known.isService
    ? [{ verdict: 'FAIL', seen: 'its service does not run', fix: 'Start-Service containerd' }]
    : [{ verdict: 'WARN', seen: 'it does not run, and is no service of this node', see }];
}

function judgeConfig({ path, commands, config, folders }: Containerd): Judgement {
  const { binDirs, confDir } = folders;
  const where = `plugins in ${binDirs.join(', ')}, configurations in ${confDir}`;
  if ('unknown' in config)
    return {
      verdict: 'UNKNOWN',
      seen: `${path} cannot be read (${config.unknown}); by default it has ${where}`,
      see,
    };
  const seen = `${where}, by ${path} (version ${config.known.version})`;
  if ('unknown' in commands)
    return {
      verdict: 'UNKNOWN',
      seen: `whether it has another configuration is not known (${commands.unknown}); ${seen}`,
      see,
    };
  const doubt = doubtOf(config.known);
  if (doubt === undefined) return { verdict: 'PASS', seen };
  return { ...doubt, seen: `${seen}; ${doubt.seen}`, see: `containerd --config ${quoted(path)} config dump` };
}

/** What may make other folders of it, or none. */
function doubtOf(config: ContainerdConfig): Judgement | undefined {
  const { version, table, passedOver, hasBoth, otherRuntimes, imports } = config;
  if (hasBoth)
    return {
      verdict: version >= 3 ? 'FAIL' : 'WARN',
      seen: 'it has both bin_dir and bin_dirs, which a containerd that knows both refuses: take one away',
    };
  if (passedOver !== undefined)
    return {
      verdict: 'WARN',
      seen: `its ${passedOver} is of another version and counts for nothing; one of version ${version} has ${table}`,
    };
  if (otherRuntimes.length > 0)
    return {
      verdict: 'WARN',
      seen: `pods of runtime ${otherRuntimes.join(', ')} get the configurations of another folder (cni_conf_dir), which are not looked at`,
    };
  if (imports.length === 0) return undefined;
  return {
    verdict: 'WARN',
    seen: `its imports may say otherwise and are not looked at: ${imports.join(', ')}`,
  };
}
