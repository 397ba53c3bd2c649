import { describe, expect, test } from 'vitest';
import { type FolderFlags, findRuntimeFolders } from '../../../../src/cli/containerd/runtime-folders.ts';
import { withFileErrors } from '../../../../src/cli/terminal/files.ts';
import { terminal } from '../../../../src/cli/terminal/terminal.ts';
import { system } from '../../../../src/system.ts';

interface Node {
  readonly files?: Readonly<Record<string, string>>;
  readonly folders?: Readonly<Record<string, readonly string[]>>;
  /** Undefined: PowerShell fails. Empty: there is no service. */
  readonly service?: string | undefined;
  readonly processes?: readonly string[];
}

const defaultConfig = 'C:\\Program Files\\containerd\\config.toml';
const given = `C:\\k\\containerd.exe --run-service --config C:\\k\\config.toml`;
const installed = 'C:\\Program Files\\containerd\\bin\\containerd.exe --run-service';

/** Finds the folders on a Windows node with these files, whose service has this command line. */
function find({ files = {}, folders = {}, ...node }: Node, flags: FolderFlags = {}) {
  const found = <T>(value: T | undefined): T => {
    if (value === undefined) throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
    return value;
  };
  const services = node.service ? [node.service] : [];
  return findRuntimeFolders(flags, {
    system: { ...system, windows: true },
    terminal: {
      ...terminal,
      ...withFileErrors({
        ...terminal,
        readFile: (path) => new TextEncoder().encode(found(files[path])),
        listFolder: (path) => found(folders[path]),
      }),
      powershell: async () =>
        'service' in node && node.service === undefined
          ? { problem: 'cannot run PowerShell' }
          : { stdout: JSON.stringify({ services, processes: node.processes ?? [] }) },
    },
  });
}

const cni = (keys: string) => `version = 3\n[plugins.'io.containerd.cri.v1.runtime'.cni]\n${keys}`;

const noService = { service: '' };

describe("the runtime's folders", () => {
  test('are those of the command line, without a look at the node', async () => {
    const terminalOnly = { system: { ...system, windows: false }, terminal };
    expect(await findRuntimeFolders({ binDir: '/b', confDir: '/c' }, terminalOnly)).toEqual({
      binDir: '/b',
      confDir: '/c',
      maxConfNum: 1,
    });
  });

  test.each<readonly [string, Node, FolderFlags, readonly [string, string]]>([
    [
      "those of the configuration that the service's command line names",
      {
        files: { 'C:\\k\\config.toml': cni("bin_dirs = ['C:\\b', 'C:\\b2']\nconf_dir = 'C:\\c'") },
        service: given,
        processes: [installed, 'C:\\Users\\u\\containerd.exe --config C:\\evil.toml'],
      },
      {},
      ['C:\\b', 'C:\\c'],
    ],
    [
      'those of a configuration whose imports match no file',
      {
        files: {
          [defaultConfig]: `imports = ['conf.d\\*.toml', 'C:\\none\\a.toml']\n${cni("conf_dir = 'C:\\c'")}`,
        },
        folders: { 'C:\\Program Files\\containerd\\conf.d': ['readme.txt', 'x.toml.bak'] },
        service: installed,
      },
      {},
      ['C:\\Program Files\\containerd\\cni\\bin', 'C:\\c'],
    ],
    [
      "containerd's default folders if the service has no configuration",
      { service: installed },
      {},
      ['C:\\Program Files\\containerd\\cni\\bin', 'C:\\Program Files\\containerd\\cni\\conf'],
    ],
    [
      'the common ones if containerd is not installed, and given ones',
      noService,
      { binDir: 'D:\\b' },
      ['D:\\b', 'C:\\etc\\cni\\net.d'],
    ],
  ])('are %s', async (_, node, flags, [binDir, confDir]) => {
    expect(await find(node, flags)).toEqual({ binDir, confDir, maxConfNum: 1 });
  });
});

describe('there is no guess', () => {
  test.each<readonly [string, Node, string]>([
    [
      "if containerd's command line is unknown",
      { service: undefined },
      "containerd's command line is unknown (cannot run PowerShell)",
    ],
    [
      'if the configuration is not TOML',
      { ...noService, files: { [defaultConfig]: 'version = ' } },
      `cannot read containerd's configuration ${defaultConfig}: line 1: Invalid TOML document: invalid value`,
    ],
    [
      'if a folder is relative',
      { ...noService, files: { [defaultConfig]: cni("bin_dirs = ['C:\\b']\nconf_dir = 'cni\\conf'") } },
      `containerd's configuration ${defaultConfig} has the relative folder cni\\conf`,
    ],
    [
      'if the configuration that containerd is started with is missing',
      { service: given },
      "cannot read containerd's configuration C:\\k\\config.toml: no such file",
    ],
    [
      'if a process runs, and there is no service',
      { ...noService, processes: ['containerd.exe'] },
      'containerd.exe runs, but there is no service containerd: any user may have started it',
    ],
    [
      'if the configuration has a problem',
      { ...noService, files: { [defaultConfig]: cni("bin_dir = 'C:\\a'\nbin_dirs = ['C:\\b']") } },
      `containerd's configuration ${defaultConfig}: bin_dir and bin_dirs are both set, which newer releases of containerd reject: remove one of them`,
    ],
    ...[
      ['conf.d\\*.toml', 'C:\\Program Files\\containerd\\conf.d', 'a.toml'] as const,
      ['C:\\k\\more.toml', 'C:\\k', 'more.toml'] as const,
      ['C:\\*\\a.toml', 'C:\\k', 'a.toml'] as const,
    ].map(
      ([imported, folder, name]) =>
        [
          `if the configuration imports ${imported}`,
          {
            ...noService,
            files: { [defaultConfig]: `imports = ['${imported}']` },
            folders: { [folder]: [name] },
          },
          `containerd's configuration ${defaultConfig}: the import ${imported} can set other folders, and win-hcn does not read it`,
        ] as const,
    ),
  ])('%s', async (_, node, problem) => {
    await expect(find(node)).rejects.toThrow(`${problem}. Specify --bin-dir and --conf-dir`);
    await expect(find(node, { binDir: 'C:\\b' })).rejects.toThrow(`${problem}. Specify --conf-dir`);
  });

  test('outside Windows', async () => {
    const linux = { system: { ...system, windows: false }, terminal };
    await expect(findRuntimeFolders({ confDir: '/c' }, linux)).rejects.toThrow(
      'this machine does not run Windows, so it has no default folders. Specify --bin-dir',
    );
  });
});
