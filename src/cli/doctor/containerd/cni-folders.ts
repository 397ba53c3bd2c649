import { parse } from 'smol-toml';
import { isObject } from '../../../cni/text.ts';

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
}

/** The part of the file that the CRI plugin reads, in the forms 3, 2 and 1. */
const plugins = ['io.containerd.cri.v1.runtime', 'io.containerd.grpc.v1.cri', 'cri'];

/**
 * Reads a config.toml. Throws TomlError where it is none.
 * https://github.com/containerd/containerd/blob/main/docs/cri/config.md
 */
export function readContainerdConfig(text: string): ContainerdConfig {
  const file = parse(text);
  const all = member(file, 'plugins');
  const cni = plugins.map((name) => member(member(all, name), 'cni')).find((one) => one !== undefined) ?? {};
  const { bin_dir: binDir, bin_dirs: binDirs, conf_dir: confDir, max_conf_num: maxConfNum } = cni;
  const given = [texts(binDirs), texts([binDir])].find((folders) => folders.length > 0);
  return {
    version: typeof file['version'] === 'number' ? file['version'] : 1,
    folders: {
      binDirs: given?.map(asOnWindows) ?? defaultFolders.binDirs,
      confDir: texts([confDir]).map(asOnWindows)[0] ?? defaultFolders.confDir,
      maxConfNum: typeof maxConfNum === 'number' ? Math.max(0, maxConfNum) : defaultFolders.maxConfNum,
    },
    imports: texts(file['imports']),
  };
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
