import { parse } from 'smol-toml';
import { isObject } from '../../json/members.ts';

/** Where containerd finds CNI configurations and plugins. */
export interface CniFolders {
  readonly binDirs: readonly string[];
  readonly confDir: string;
  /** How many configurations containerd uses, each for one interface; 0 for all. */
  readonly maxConfNum: number;
}

export const defaultFolders: CniFolders = {
  binDirs: ['C:\\Program Files\\containerd\\cni\\bin'],
  confDir: 'C:\\Program Files\\containerd\\cni\\conf',
  maxConfNum: 1,
};

export interface ContainerdConfig {
  /** The version of config.toml. */
  readonly version: number;
  readonly folders: CniFolders;
  /** The CNI table that containerd reads in a file of this version. */
  readonly table: string;
  /** The CNI table of another version, which containerd ignores. */
  readonly ignoredTable?: string;
  /** Whether both `bin_dir` and `bin_dirs` are set, which containerd rejects. */
  readonly hasBoth: boolean;
  /** Whether containerd 1.x uses other folders: an import replaces the whole CRI table there, and single keys in containerd 2.x. */
  readonly dependsOnRelease: boolean;
  /** The runtimes with a configuration folder of their own. */
  readonly otherRuntimes: readonly string[];
}

type Table = Readonly<Record<string, unknown>>;

/** One file of a configuration, parsed. */
export interface ConfigPart {
  /** Undefined if the file has none. */
  readonly version: number | undefined;
  /** As written: patterns, and paths that are relative to the file's folder. */
  readonly imports: readonly string[];
  readonly plugins: Table;
}

/** The CRI plugin's table in versions 1, 2, and 3 or 4. */
const tables = ['cri', 'io.containerd.grpc.v1.cri', 'io.containerd.cri.v1.runtime'] as const;
type TableName = (typeof tables)[number];

/** Parses one file. Throws TomlError if the text is not TOML. */
export function parseConfigPart(text: string): ConfigPart {
  const file = parse(text);
  const version = file['version'];
  return {
    version: typeof version === 'number' ? version : undefined,
    imports: texts(file['imports']),
    plugins: member(file, 'plugins') ?? {},
  };
}

/**
 * The settings of config.toml and its imports, in containerd's order; the default version is 1.
 * https://github.com/containerd/containerd/blob/main/docs/cri/config.md
 */
export function combineConfig(main: ConfigPart, imported: readonly ConfigPart[] = []): ContainerdConfig {
  const version = main.version ?? 1;
  const table = tables[Math.max(version, 1) - 1] ?? tables[2];
  const parts = [
    { ...main, table },
    ...imported.map((part) => ({ ...part, table: importedTable(part, table) })),
  ];
  const sections = parts
    .map(({ plugins, table: name }) => member(plugins, name))
    .filter((section) => section !== undefined);
  const cniTables = sections.map((section) => withoutEmpty(member(section, 'cni')));
  const merged: Table = Object.assign({}, ...cniTables);
  const folders = foldersOf(merged);
  const replacing = foldersOf(cniTables.at(-1));
  const ignoredTable = parts.map(findIgnoredTable).find((name) => name !== undefined);
  return {
    version,
    folders,
    table: tableText(table),
    ...(ignoredTable !== undefined && { ignoredTable: tableText(ignoredTable) }),
    hasBoth: texts(merged['bin_dirs']).length > 0 && texts([merged['bin_dir']]).length > 0,
    dependsOnRelease: version < 3 && JSON.stringify(replacing) !== JSON.stringify(folders),
    otherRuntimes: [
      ...new Set(
        sections.flatMap((section) => findOtherRuntimes(member(section, 'containerd'), merged['conf_dir'])),
      ),
    ],
  };
}

/** An import without a version is read with the table that it has. */
function importedTable({ version, plugins }: ConfigPart, mainTable: TableName): TableName {
  if (version !== undefined) return tables[Math.max(version, 1) - 1] ?? tables[2];
  return tables.find((name) => member(plugins, name) !== undefined) ?? mainTable;
}

function findIgnoredTable({
  plugins,
  table,
}: ConfigPart & { readonly table: TableName }): TableName | undefined {
  if (member(member(plugins, table), 'cni') !== undefined) return undefined;
  return tables.find((name) => member(member(plugins, name), 'cni') !== undefined);
}

function foldersOf(cni: Table | undefined): CniFolders {
  const { bin_dir: binDir, bin_dirs: binDirs, conf_dir: confDir, max_conf_num: maxConfNum } = cni ?? {};
  const given = [texts(binDirs), texts([binDir])].find((folders) => folders.length > 0);
  return {
    binDirs: given?.map(normalizeDrivePath) ?? defaultFolders.binDirs,
    confDir: texts([confDir]).map(normalizeDrivePath)[0] ?? defaultFolders.confDir,
    maxConfNum: typeof maxConfNum === 'number' ? Math.max(0, maxConfNum) : defaultFolders.maxConfNum,
  };
}

function findOtherRuntimes(containerd: Table | undefined, confDir: unknown): readonly string[] {
  const runtimes = member(containerd, 'runtimes') ?? {};
  return Object.keys(runtimes).filter((name) =>
    texts([member(runtimes, name)?.['cni_conf_dir']]).some((folder) => folder !== confDir),
  );
}

function tableText(table: TableName): string {
  return `[plugins.${table.includes('.') ? `'${table}'` : table}.cni]`;
}

/** A path on a drive with backslashes and without a trailing one. */
function normalizeDrivePath(path: string): string {
  return /^[A-Za-z]:[\\/]/.test(path)
    ? path.replaceAll('/', '\\').replace(/(?<=^..\\|[^\\])(?<!^..)\\+$/, '')
    : path;
}

/** Empty texts and lists, which containerd does not merge into others. */
function withoutEmpty(table: Table = {}): Table {
  return Object.fromEntries(
    Object.entries(table).filter(
      ([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

function member(value: Table | undefined, key: string): Table | undefined {
  const found = value?.[key];
  return isObject(found) ? found : undefined;
}

/** The strings in a list that are not empty. */
function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string' && one !== '') : [];
}
