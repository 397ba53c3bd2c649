import { parse } from 'smol-toml';
import { decodeText } from '../../../cni/text.ts';
import { isObject } from '../../../json/members.ts';
import { fileProblem } from '../../file-error.ts';
import type { Terminal } from '../../terminal.ts';
import { type Containerd, factFrom } from '../facts.ts';
import { type Query, runQuery } from '../powershell.ts';
import { fileName, joinPath, parentFolder } from '../windows-path.ts';

/** How containerd is started on this node. */
export interface ContainerdCommands {
  /** Whether there is a service `containerd`. A distribution may start containerd as a process instead. */
  readonly isService: boolean;
  readonly isRunning: boolean;
  /** The service's first. Windows shows the command lines of other accounts' processes to administrators only. */
  readonly commandLines: readonly string[];
}

export const containerdCommands: Query<ContainerdCommands> = {
  script: `
$services = @(Get-CimInstance Win32_Service -Filter "Name='containerd'" | ForEach-Object { "$($_.PathName)" })
$processes = @(Get-CimInstance Win32_Process -Filter "Name='containerd.exe'" | ForEach-Object { "$($_.CommandLine)" })
ConvertTo-Json -Compress @{ services = $services; processes = $processes }`,
  read: (output) => {
    const [services, processes] = [
      output.read('services', 'a list of strings'),
      output.read('processes', 'a list of strings'),
    ];
    return {
      isService: services.length > 0,
      isRunning: processes.length > 0,
      commandLines: [...services, ...processes].filter(Boolean),
    };
  },
};

/** Reads the configuration of this node's containerd. */
export async function readContainerd(terminal: Terminal): Promise<Containerd> {
  const commands = await runQuery(terminal, containerdCommands);
  const path = findConfigPath('value' in commands ? commands.value.commandLines : []);
  const config = await factFrom(readConfig(path, terminal));
  return { path, commands, config, folders: 'value' in config ? config.value.folders : defaultFolders };
}

async function readConfig(path: string, terminal: Terminal): Promise<ContainerdConfig> {
  try {
    const config = readContainerdConfig(decodeText(terminal.readFile(path)));
    const folder = parentFolder(path);
    return { ...config, imports: config.imports.filter((one) => mayMatchFile(one, folder, terminal)) };
  } catch (error) {
    throw new Error(fileProblem(error).split('\n')[0], { cause: error });
  }
}

/** Whether an import, a path or pattern relative to the configuration's folder, matches a file; true if that cannot be ruled out. */
function mayMatchFile(imported: string, folder: string, { listFolder }: Terminal): boolean {
  const path = /^([A-Za-z]:|[\\/])/.test(imported) ? imported : joinPath(folder, imported);
  const ending = fileName(path).replace(/^.*[*?\]]/, '');
  try {
    return listFolder(parentFolder(path)).some((name) => name.endsWith(ending));
  } catch (error) {
    return !isObject(error) || error['code'] !== 'ENOENT' || /[*?[]/.test(parentFolder(path));
  }
}

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
  readonly version: number;
  readonly folders: CniFolders;
  /** Further files, which override this one. */
  readonly imports: readonly string[];
  /** The CNI table that containerd reads in a file of this version. */
  readonly table: string;
  /** The CNI table of another version, which containerd ignores. */
  readonly ignoredTable?: string;
  /** Whether both `bin_dir` and `bin_dirs` are set, which containerd rejects. */
  readonly hasBoth: boolean;
  /** The runtimes with a configuration folder of their own. */
  readonly otherRuntimes: readonly string[];
}

/** The CRI plugin's table in versions 1, 2 and 3. */
const plugins = ['cri', 'io.containerd.grpc.v1.cri', 'io.containerd.cri.v1.runtime'] as const;

/**
 * Reads config.toml; the default version is 1. Throws TomlError if the text is not TOML.
 * https://github.com/containerd/containerd/blob/main/docs/cri/config.md
 */
export function readContainerdConfig(text: string): ContainerdConfig {
  const file = parse(text);
  const all = member(file, 'plugins');
  const version = typeof file['version'] === 'number' ? file['version'] : 1;
  const plugin = plugins[Math.max(version, 1) - 1] ?? plugins[2];
  const cni = member(member(all, plugin), 'cni');
  const other = cni ? undefined : plugins.find((name) => member(member(all, name), 'cni') !== undefined);
  const { bin_dir: binDir, bin_dirs: binDirs, conf_dir: confDir, max_conf_num: maxConfNum } = cni ?? {};
  const given = [texts(binDirs), texts([binDir])].filter((folders) => folders.length > 0);
  return {
    version,
    folders: {
      binDirs: given[0]?.map(normalizeDrivePath) ?? defaultFolders.binDirs,
      confDir: texts([confDir]).map(normalizeDrivePath)[0] ?? defaultFolders.confDir,
      maxConfNum: typeof maxConfNum === 'number' ? Math.max(0, maxConfNum) : defaultFolders.maxConfNum,
    },
    imports: texts(file['imports']),
    table: tableName(plugin),
    ...(other !== undefined && { ignoredTable: tableName(other) }),
    hasBoth: given.length > 1,
    otherRuntimes: findOtherRuntimes(member(member(all, plugin), 'containerd'), confDir),
  };
}

function findOtherRuntimes(
  containerd: Readonly<Record<string, unknown>> | undefined,
  confDir: unknown,
): readonly string[] {
  const runtimes = member(containerd, 'runtimes') ?? {};
  return Object.keys(runtimes).filter((name) =>
    texts([member(runtimes, name)?.['cni_conf_dir']]).some((folder) => folder !== confDir),
  );
}

function tableName(plugin: string): string {
  return `[plugins.${plugin.includes('.') ? `'${plugin}'` : plugin}.cni]`;
}

/** A path on a drive with backslashes and without a trailing one. */
function normalizeDrivePath(path: string): string {
  return /^[A-Za-z]:[\\/]/.test(path) ? path.replaceAll('/', '\\').replace(/(?<!^..)\\+$/, '') : path;
}

function member(
  value: Readonly<Record<string, unknown>> | undefined,
  key: string,
): Readonly<Record<string, unknown>> | undefined {
  const found = value?.[key];
  return isObject(found) ? found : undefined;
}

/** The strings in a list that are not empty. */
function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string' && one !== '') : [];
}

const defaultConfigPath = 'C:\\Program Files\\containerd\\config.toml';

/** An option and its value: both in one pair of quotes, only the value in quotes, or no quotes. */
const option = /(?:^|\s)(?:"--?c(?:onfig)?=([^"]+)"|--?c(?:onfig)?[\s=]+(?:"([^"]+)"|([^\s"]+)))/;

/** The first configuration file that containerd's command lines name with `--config` or `-c`; else the default path. */
export function findConfigPath(commandLines: readonly string[]): string {
  const named = commandLines.flatMap((line) => {
    const [, together, quoted, bare] = option.exec(line) ?? [];
    return together ?? quoted ?? bare ?? [];
  });
  return named[0] ?? defaultConfigPath;
}
