import { parse } from 'smol-toml';
import { isObject } from '../../json/members.ts';

/** Where containerd finds CNI configurations and plugins. */
export interface CniFolders {
  readonly binDirs: readonly string[];
  readonly confDir: string;
  /** How many configurations containerd uses, each for one interface; 0 for all. */
  readonly maxConfNum: number;
}

/** The folders of a containerd without configuration. */
export const defaultFolders: CniFolders = {
  binDirs: ['C:\\Program Files\\containerd\\cni\\bin'],
  confDir: 'C:\\Program Files\\containerd\\cni\\conf',
  maxConfNum: 1,
};

/** What win-hcn reads of config.toml. */
export interface ContainerdConfig {
  readonly version: number;
  readonly folders: CniFolders;
  /** Patterns, and paths that are relative to the file's folder. */
  readonly imports: readonly string[];
  /** Why containerd uses other folders; undefined if it does not. */
  readonly problem?: string;
}

const bothSet =
  'bin_dir and bin_dirs are both set, which newer releases of containerd reject: remove one of them';

type Table = Readonly<Record<string, unknown>>;

/** The CRI plugin's table in versions 1, 2, and 3 or 4. */
const tables = ['cri', 'io.containerd.grpc.v1.cri', 'io.containerd.cri.v1.runtime'] as const;

/**
 * Reads a config.toml without its imports; the default version is 1. Throws TomlError if the text is not TOML.
 * https://github.com/containerd/containerd/blob/main/docs/cri/config.md
 */
export function parseConfig(text: string): ContainerdConfig {
  const file = parse(text);
  const version = typeof file['version'] === 'number' ? file['version'] : 1;
  const own = tables[Math.max(version, 1) - 1] ?? tables[2];
  const cniIn = (table: string) => member(member(member(file, 'plugins'), table), 'cni');
  const cni = cniIn(own);
  const ignored = cni === undefined ? tables.find((table) => cniIn(table) !== undefined) : undefined;
  const { bin_dir: binDir, bin_dirs: binDirs, conf_dir: confDir, max_conf_num: maxConfNum } = cni ?? {};
  const [several, single] = [texts(binDirs), texts([binDir])];
  const given = [...several, ...single].map(normalizeDrivePath);
  const [problem] = [
    ...(several.length > 0 && single.length > 0 ? [bothSet] : []),
    ...(ignored === undefined
      ? []
      : [`${tableText(ignored)} is ignored: version ${version} reads ${tableText(own)}`]),
  ];
  return {
    version,
    folders: {
      binDirs: given.length > 0 ? given : defaultFolders.binDirs,
      confDir: texts([confDir]).map(normalizeDrivePath)[0] ?? defaultFolders.confDir,
      maxConfNum: typeof maxConfNum === 'number' ? Math.max(0, maxConfNum) : defaultFolders.maxConfNum,
    },
    imports: texts(file['imports']),
    ...(problem !== undefined && { problem }),
  };
}

function tableText(table: string): string {
  return `[plugins.${table.includes('.') ? `'${table}'` : table}.cni]`;
}

/** A path on a drive with backslashes and without a trailing one. */
function normalizeDrivePath(path: string): string {
  return /^[A-Za-z]:[\\/]/.test(path)
    ? path.replaceAll('/', '\\').replace(/(?<=^..\\|[^\\])(?<!^..)\\+$/, '')
    : path;
}

function member(value: Table | undefined, key: string): Table | undefined {
  const found = value?.[key];
  return isObject(found) ? found : undefined;
}

/** The strings in a list that are not empty. */
function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string' && one !== '') : [];
}
