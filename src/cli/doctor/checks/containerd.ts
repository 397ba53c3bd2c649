import type { Containerd } from '../facts.ts';
import type { Check, Judgement } from '../finding.ts';

/** Which folders the runtime takes configurations and plugins from. */
export const containerd: Check = {
  name: 'containerd',
  judge: ({ containerd: runtime }) => [judge(runtime)],
};

function judge({ path, config, folders: { binDirs, confDir } }: Containerd): Judgement {
  const folders = `plugins in ${binDirs.join(', ')}, configurations in ${confDir}`;
  if ('unknown' in config)
    return {
      verdict: 'UNKNOWN',
      seen: `${path} cannot be read (${config.unknown}); by default it has ${folders}`,
      see: 'Get-CimInstance Win32_Service -Filter "Name=\'containerd\'" | Format-List State, PathName',
    };
  const { version, imports } = config.known;
  const seen = `${folders}, by ${path} (version ${version})`;
  if (imports.length === 0) return { verdict: 'PASS', seen };
  return {
    verdict: 'WARN',
    seen: `${seen}; its imports may say otherwise and are not looked at: ${imports.join(', ')}`,
    see: 'containerd config dump',
  };
}
