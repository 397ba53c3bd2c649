import { parse } from 'smol-toml';
import { isObject } from '../../../json/members.ts';

/** Where containerd finds CNI's configurations and plugins. */
export interface CniFolders {
  readonly binDirs: readonly string[];
  readonly confDir: string;
  /** How many configurations count, each for an interface of its own; 0 for all. */
  readonly maxConfNum: number;
}

/** What containerd takes where its configuration says nothing. */
export const defaultFolders: CniFolders = {
  binDirs: ['C:\\Program Files\\containerd\\cni\\bin'],
  confDir: 'C:\\Program Files\\containerd\\cni\\conf',
  maxConfNum: 1,
};

/** What containerd's configuration says of CNI. */
export interface ContainerdConfig {
  /** Of the file's form. */
  readonly version: number;
  readonly folders: CniFolders;
  /** Further files whose settings come on top. */
  readonly imports: readonly string[];
  /** The table that a file of this version has of CNI. */
  readonly table: string;
  /** The table of another version that the file has in its place. */
  readonly passedOver?: string;
  /** Whether it has both of what excludes one another, `bin_dir` and `bin_dirs`. */
  readonly hasBoth: boolean;
  /** The runtimes whose pods get the configurations of another folder. */
  readonly otherRuntimes: readonly string[];
}

/** The part of the file that the CRI plugin reads, in the forms 1, 2 and 3. */
const plugins = ['cri', 'io.containerd.grpc.v1.cri', 'io.containerd.cri.v1.runtime'] as const;

/**
 * Reads a config.toml; one that does not say its version has 1. Throws TomlError where it is none.
 * https://github.com/containerd/containerd/blob/main/docs/cri/config.md
 */
export function readContainerdConfig(text: string): ContainerdConfig {
  const file = parse(text);
  const all = member(file, 'plugins');
  const version = typeof file['version'] === 'number' ? file['version'] : 1;
  const plugin = plugins[Math.max(version, 1) - 1] ?? plugins[2];
  const found = member(member(all, plugin), 'cni');
  const other = found ? undefined : plugins.find((name) => member(member(all, name), 'cni') !== undefined);
  const { bin_dir: binDir, bin_dirs: binDirs, conf_dir: confDir, max_conf_num: maxConfNum } = found ?? {};
  const given = [texts(binDirs), texts([binDir])].filter((folders) => folders.length > 0);
  return {
    version,
    folders: {
      binDirs: given[0]?.map(asOnWindows) ?? defaultFolders.binDirs,
      confDir: texts([confDir]).map(asOnWindows)[0] ?? defaultFolders.confDir,
      maxConfNum: typeof maxConfNum === 'number' ? Math.max(0, maxConfNum) : defaultFolders.maxConfNum,
    },
    imports: texts(file['imports']),
    table: tableOf(plugin),
    ...(other !== undefined && { passedOver: tableOf(other) }),
    hasBoth: given.length > 1,
    otherRuntimes: runtimesElsewhere(member(member(all, plugin), 'containerd'), confDir),
  };
}

function runtimesElsewhere(
  containerd: Readonly<Record<string, unknown>> | undefined,
  confDir: unknown,
): readonly string[] {
  const runtimes = member(containerd, 'runtimes') ?? {};
  return Object.keys(runtimes).filter((name) =>
    texts([member(runtimes, name)?.['cni_conf_dir']]).some((folder) => folder !== confDir),
  );
}

function tableOf(plugin: string): string {
  return `[plugins.${plugin.includes('.') ? `'${plugin}'` : plugin}.cni]`;
}

/** A path on a drive as Windows writes it, which takes slashes of either kind, and one at the end. */
function asOnWindows(path: string): string {
  return /^[A-Za-z]:[\\/]/.test(path) ? path.replaceAll('/', '\\').replace(/(?<!^..)\\+$/, '') : path;
}

function member(
  value: Readonly<Record<string, unknown>> | undefined,
  key: string,
): Readonly<Record<string, unknown>> | undefined {
  const found = value?.[key];
  return isObject(found) ? found : undefined;
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string' && one !== '') : [];
}
