import { errorCode } from '../../cni/error.ts';
import { decodeText } from '../../cni/text.ts';
import { readIpamType } from '../../config/essential-keys.ts';
import { isObject } from '../../json/members.ts';
import { type Fact, factFrom } from '../terminal/powershell.ts';
import type { Session } from '../terminal/session.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { fileName, joinPath } from '../terminal/windows-path.ts';
import { checkFile, type FileReport, runtimeProblems } from './check-file.ts';
import { type ConfigFile, type Diagnostic, readConfigFile } from './config-file.ts';
import { confNames } from './files.ts';
import { type ListedPlugin, pluginsIn } from './plugin-list.ts';

/** A configuration file in the runtime's folder. */
export interface ConfFile {
  readonly path: string;
  readonly report: FileReport;
  /** Those of its problems that stop every runtime. */
  readonly stopping: readonly Diagnostic[];
  readonly positionOf: ConfigFile['positionOf'];
  /** Empty if the file is not a CNI configuration. */
  readonly plugins: readonly ListedPlugin[];
  /** The network's name; empty if missing. */
  readonly network: string;
  /** Whether the file's name or text has the word win-hcn. */
  readonly mentionsWinHcn: boolean;
}

/** The types of a file's plugins and IPAM plugins, which are the names of their programs. flannel's delegate uses host-local. */
export function programsOf({ plugins }: ConfFile): readonly string[] {
  return plugins
    .flatMap(({ type, config: { delegate, ...config } }) => [
      type,
      ...(isObject(delegate) ? [delegate['type'], 'host-local'] : []),
      readIpamType(config),
    ])
    .filter((type) => typeof type === 'string')
    .filter((type) => type !== '');
}

/** Reads and checks a configuration file. */
export function readConfFile(path: string, bytes: Uint8Array, executable: string): ConfFile {
  const { value, positionOf } = readConfigFile(bytes);
  const name = isObject(value) ? value['name'] : undefined;
  return {
    path,
    report: checkFile(bytes, path, executable),
    stopping: runtimeProblems(bytes, path),
    positionOf,
    plugins: pluginsIn(value, executable),
    network: typeof name === 'string' ? name : '',
    mentionsWinHcn: /win-hcn/i.test(`${fileName(path)} ${decodeText(bytes)}`),
  };
}

/** The configuration files in the runtime's folder, in containerd's order. */
export function readConfFolder(
  folder: string,
  {
    terminal,
    system,
  }: { readonly terminal: Terminal; readonly system: Pick<Session['system'], 'executable'> },
): Promise<Fact<readonly ConfFile[]>> {
  const read = async () =>
    confNames(terminal.listFolder(folder)).flatMap((name) => {
      const path = joinPath(folder, name);
      const bytes = readUnlessFolder(path, terminal);
      return bytes === undefined ? [] : [readConfFile(path, bytes, system.executable)];
    });
  return factFrom(read());
}

/** containerd ignores folders, whatever their names. */
function readUnlessFolder(path: string, { readFile }: Terminal): Uint8Array | undefined {
  try {
    return readFile(path);
  } catch (error) {
    if (errorCode(error) === 'EISDIR') return undefined;
    throw error;
  }
}
