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

describe("the runtime's folders", () => {
  test('are those of the command line, without a look at the node', async () => {
    const terminalOnly = { system: { ...system, windows: false }, terminal };
    expect(await findRuntimeFolders({ binDir: '/b', confDir: '/c' }, terminalOnly)).toEqual({
      binDir: '/b',
      confDir: '/c',
      maxConfNum: 1,
      warnings: [],
    });
  });

  test("are those of the configuration that the service's command line names", async () => {
    const files = { 'C:\\k\\config.toml': cni("bin_dirs = ['C:\\b', 'C:\\b2']\nconf_dir = 'C:\\c'") };
    expect(await find({ files, service: given })).toEqual({
      binDir: 'C:\\b',
      confDir: 'C:\\c',
      maxConfNum: 1,
      warnings: [],
    });
  });

  test('include what imports set', async () => {
    const files = {
      [defaultConfig]: `imports = ['C:\\Program Files\\containerd\\conf.d\\*.toml', 'more.toml', 'C:\\none\\*.toml']\n${cni("conf_dir = 'C:\\c'")}`,
      'C:\\Program Files\\containerd\\conf.d\\10-a.toml': cni("bin_dirs = ['C:\\a']"),
      'C:\\Program Files\\containerd\\conf.d\\20-b.toml': `imports = ['${defaultConfig}']\n${cni("bin_dirs = ['C:\\b']")}`,
      'C:\\Program Files\\containerd\\more.toml': cni("conf_dir = 'C:\\d'"),
    };
    const folders = {
      'C:\\Program Files\\containerd\\conf.d': ['20-b.toml', '10-a.toml', 'readme.txt', 'x.toml.bak', '[]'],
    };
    expect(await find({ files, folders })).toMatchObject({ binDir: 'C:\\b', confDir: 'C:\\d' });
  });

  test.each([
    ['has no configuration', { service: installed }],
    [
      'is in its default folder but not registered',
      { folders: { 'C:\\Program Files\\containerd': ['bin'] } },
    ],
  ])("are containerd's default folders if containerd %s", async (_, node) => {
    expect(await find(node)).toEqual({
      binDir: 'C:\\Program Files\\containerd\\cni\\bin',
      confDir: 'C:\\Program Files\\containerd\\cni\\conf',
      maxConfNum: 1,
      warnings: [],
    });
  });

  test('are the common ones if containerd is not installed', async () => {
    expect(await find({})).toEqual({
      binDir: 'C:\\opt\\cni\\bin',
      confDir: 'C:\\etc\\cni\\net.d',
      maxConfNum: 1,
      warnings: [],
    });
  });

  test('do not depend on processes named containerd.exe, which every user can start, if there is a service', async () => {
    const files = {
      [defaultConfig]: cni("bin_dirs = ['C:\\b']\nconf_dir = 'C:\\c'"),
      'C:\\evil.toml': cni("bin_dirs = ['C:\\e']"),
    };
    const processes = [installed, 'C:\\Users\\u\\containerd.exe --config C:\\evil.toml'];
    expect(await find({ files, processes, service: installed })).toMatchObject({
      binDir: 'C:\\b',
      confDir: 'C:\\c',
    });
    expect(await find({ files, processes: ['containerd.exe'] })).toMatchObject({
      binDir: 'C:\\b',
      confDir: 'C:\\c',
    });
  });

  test('can be given one by one', async () => {
    expect(await find({}, { binDir: 'D:\\b' })).toMatchObject({
      binDir: 'D:\\b',
      confDir: 'C:\\etc\\cni\\net.d',
    });
  });

  test("come with a warning if containerd's command line is unknown, or a runtime has its own folder", async () => {
    const text = `${cni("bin_dir = 'C:\\b'")}\n[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.hyperv]\ncni_conf_dir = 'C:\\h'`;
    expect(await find({ files: { [defaultConfig]: text }, service: undefined })).toMatchObject({
      binDir: 'C:\\b',
      warnings: [
        'containerd may use another configuration: its command line is unknown (cannot run PowerShell). If it does, specify the folders',
        'Pods of runtime hyperv use another configuration folder (cni_conf_dir)',
      ],
    });
  });
});

describe('there is no guess', () => {
  test.each<readonly [string, Node, string]>([
    [
      'if the configuration is not TOML',
      { files: { [defaultConfig]: 'version = ' } },
      `cannot read containerd's configuration ${defaultConfig}: line 1: Invalid TOML document: invalid value`,
    ],
    [
      'if a folder is relative',
      { files: { [defaultConfig]: cni("bin_dirs = ['C:\\b']\nconf_dir = 'cni\\conf'") } },
      `containerd's configuration ${defaultConfig} has the relative folder cni\\conf, which depends on the folder that containerd starts in`,
    ],
    [
      'if the configuration that containerd is started with is missing',
      { service: given },
      "cannot read containerd's configuration C:\\k\\config.toml: no such file",
    ],
    [
      'if a process has a configuration, and there is no service',
      {
        service: '',
        processes: ['containerd.exe -c C:\\k\\config.toml'],
        files: { 'C:\\k\\config.toml': '' },
      },
      'containerd.exe runs with --config C:\\k\\config.toml, but there is no service containerd: any user may have started it',
    ],
    [
      'if a process has no configuration, and there is no service',
      { service: '', processes: ['containerd.exe'] },
      'containerd.exe runs, but there is no service containerd: any user may have started it',
    ],
    [
      'if an import is missing',
      { files: { [defaultConfig]: "imports = ['C:\\k\\more.toml']" } },
      `cannot read containerd's configuration ${defaultConfig}: import C:\\k\\more.toml: no such file`,
    ],
    [
      'if an import has a pattern of folders',
      { files: { [defaultConfig]: "imports = ['C:\\*\\a.toml']" } },
      `cannot read containerd's configuration ${defaultConfig}: import C:\\*\\a.toml: win-hcn cannot read patterns of folders`,
    ],
    [
      'if bin_dir and bin_dirs are both set',
      { files: { [defaultConfig]: cni("bin_dir = 'C:\\a'\nbin_dirs = ['C:\\b']") } },
      `containerd's configuration ${defaultConfig} sets both bin_dir and bin_dirs, which containerd rejects`,
    ],
    [
      'if the settings are in the table of another version',
      {
        files: {
          [defaultConfig]: "version = 3\n[plugins.'io.containerd.grpc.v1.cri'.cni]\nbin_dir = 'C:\\b'",
        },
      },
      `containerd's configuration ${defaultConfig} has version 3 and [plugins.'io.containerd.grpc.v1.cri'.cni], but this version reads [plugins.'io.containerd.cri.v1.runtime'.cni]`,
    ],
    [
      'if the folders depend on the release of containerd',
      {
        files: {
          [defaultConfig]:
            "version = 2\nimports = ['a.toml']\n[plugins.'io.containerd.grpc.v1.cri'.cni]\nbin_dir = 'C:\\b'",
          'C:\\Program Files\\containerd\\a.toml':
            "version = 2\n[plugins.'io.containerd.grpc.v1.cri'.registry]\nconfig_path = 'C:\\r'",
        },
      },
      `containerd's configuration ${defaultConfig} gives containerd 1.x and 2.x different folders, because an import replaces the whole CRI table in 1.x`,
    ],
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
