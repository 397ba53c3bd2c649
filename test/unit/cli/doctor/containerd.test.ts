import { describe, expect, test } from 'vitest';
import { containerd, plugins } from '../../../../src/cli/doctor/checks/containerd.ts';
import { confNames } from '../../../../src/cli/doctor/runtime/conf-files.ts';
import {
  defaultFolders,
  findConfigPath,
  readContainerdConfig,
} from '../../../../src/cli/doctor/runtime/containerd.ts';
import { configured, diagnosisTexts, facts } from './facts.ts';

test.each([
  [
    '"C:\\Program Files\\containerd\\containerd.exe" --config "C:\\k s\\config.toml" --run-service',
    'C:\\k s\\config.toml',
  ],
  ['"C:\\k s\\containerd.exe" "--config=C:\\k s\\config.toml" --run-service', 'C:\\k s\\config.toml'],
  ['C:\\k\\containerd.exe --config=C:\\k\\config.toml', 'C:\\k\\config.toml'],
  ['C:\\k\\containerd.exe -c C:\\k\\config.toml --log-level debug', 'C:\\k\\config.toml'],
  [
    'C:\\k\\containerd.exe --run-service --service-name containerd',
    'C:\\Program Files\\containerd\\config.toml',
  ],
])("containerd's configuration file follows from its command line: %s", (line, path) => {
  expect(findConfigPath([line])).toBe(path);
});

test('the first command line that names a configuration wins', () => {
  expect(findConfigPath([])).toBe('C:\\Program Files\\containerd\\config.toml');
  expect(findConfigPath(['containerd.exe', 'containerd.exe -c a.toml', 'containerd.exe -c b.toml'])).toBe(
    'a.toml',
  );
});

describe("containerd's config.toml", () => {
  const folders = { binDirs: ['C:\\b'], confDir: 'C:\\c', maxConfNum: 1 };
  test.each([
    [
      'version 3',
      `version = 3
       [plugins.'io.containerd.cri.v1.runtime'.cni]
       bin_dirs = ['C:\\b', 'C:\\b2']
       conf_dir = 'C:\\c'
       max_conf_num = 2`,
      { version: 3, folders: { binDirs: ['C:\\b', 'C:\\b2'], confDir: 'C:\\c', maxConfNum: 2 }, imports: [] },
    ],
    [
      'version 3 with bin_dir',
      `version = 3
       [plugins."io.containerd.cri.v1.runtime".cni]
       bin_dir = "C:\\\\b"
       bin_dirs = []
       conf_dir = "C:\\\\c"`,
      { version: 3, folders, imports: [] },
    ],
    [
      'version 2',
      `version = 2
       imports = ['C:\\more.toml']
       [plugins."io.containerd.grpc.v1.cri"]
         [plugins."io.containerd.grpc.v1.cri".cni]
           bin_dir = 'C:\\b'
           conf_dir = 'C:\\c'`,
      { version: 2, folders, imports: ['C:\\more.toml'] },
    ],
    [
      'version 1',
      `[plugins.cri.cni]
       bin_dir = 'C:\\b'
       conf_dir = 'C:\\c'
       max_conf_num = 0`,
      { version: 1, folders: { ...folders, maxConfNum: 0 }, imports: [] },
    ],
    [
      'forward slashes',
      `version = 2
       [plugins."io.containerd.grpc.v1.cri".cni]
       bin_dir = "C:/opt/cni/bin/"
       conf_dir = "/etc/cni/net.d"`,
      {
        version: 2,
        folders: { binDirs: ['C:\\opt\\cni\\bin'], confDir: '/etc/cni/net.d', maxConfNum: 1 },
        imports: [],
      },
    ],
    [
      "a drive's root",
      `version = 2
       [plugins."io.containerd.grpc.v1.cri".cni]
       bin_dir = 'C:\\'
       conf_dir = 'C:/'`,
      { version: 2, folders: { binDirs: ['C:\\'], confDir: 'C:\\', maxConfNum: 1 }, imports: [] },
    ],
    ['no CNI table', 'version = 3', { version: 3, folders: defaultFolders, imports: [] }],
    ['an empty file', '', { version: 1, folders: defaultFolders, imports: [] }],
  ])('is read: %s', (_, text, expected) => {
    expect(readContainerdConfig(text)).toMatchObject({ ...expected, hasBoth: false });
    expect(readContainerdConfig(text)).not.toHaveProperty('ignoredTable');
  });

  test.each([
    ['version = 3', 'io.containerd.grpc.v1.cri', "[plugins.'io.containerd.cri.v1.runtime'.cni]"],
    ['version = 2', 'io.containerd.cri.v1.runtime', "[plugins.'io.containerd.grpc.v1.cri'.cni]"],
    ['', 'io.containerd.grpc.v1.cri', '[plugins.cri.cni]'],
  ])("of %j ignores another version's %s", (version, plugin, table) => {
    expect(readContainerdConfig(`${version}\n[plugins.'${plugin}'.cni]\nbin_dir = 'C:\\b'`)).toMatchObject({
      folders: defaultFolders,
      table,
      ignoredTable: `[plugins.'${plugin}'.cni]`,
    });
  });

  test('may set both bin_dir and bin_dirs', () => {
    const text = "[plugins.cri.cni]\nbin_dir = 'C:\\b'\nbin_dirs = ['C:\\c']";
    expect(readContainerdConfig(text)).toMatchObject({ hasBoth: true });
  });

  test('throws if it is not TOML', () => {
    expect(() => readContainerdConfig('version = \n')).toThrow('Invalid TOML document');
  });
});

test('containerd sorts configuration files by bytes and ignores other extensions', () => {
  const names = ['9-a.conf', '10-b.conflist', 'a.json', 'Z.conf', '10-c.conf.off', 'readme.txt', 'D.CONF'];
  expect(confNames(names)).toEqual(['10-b.conflist', '9-a.conf', 'Z.conf', 'a.json']);
});

describe('plugins', () => {
  test('that are missing are reported with a command', () => {
    const ipam = { type: 'host-local', subnet: '10.244.1.0/24' };
    const executable = 'C:\\Users\\operator\\win-hcn.exe';
    expect(
      diagnosisTexts(plugins.diagnose(facts({ configuration: configured({ ipam }), executable }))),
    ).toEqual([
      'FAIL no win-hcn.exe in C:\\opt\\cni\\bin | fix: Copy-Item C:\\Users\\operator\\win-hcn.exe C:\\opt\\cni\\bin\\win-hcn.exe',
      'FAIL no host-local.exe in C:\\opt\\cni\\bin | see: Get-ChildItem C:\\opt\\cni\\bin',
    ]);
  });

  test('that are missing are unknown if the folder is uncertain', () => {
    const runtime = { ...facts().containerd, config: { error: 'no such file' } };
    const given = facts({ configuration: configured(), containerd: runtime });
    expect(plugins.diagnose(given)).toMatchObject([{ verdict: 'UNKNOWN' }]);
  });
});

describe('containerd', () => {
  test('with a configuration that cannot be read is unknown', () => {
    const given = facts({ containerd: { ...facts().containerd, config: { error: 'no such file' } } });
    expect(diagnosisTexts(containerd.diagnose(given))).toEqual([
      'UNKNOWN cannot read C:\\k\\config.toml: no such file; defaults: plugins in C:\\opt\\cni\\bin, configurations in C:\\etc\\cni\\net.d | see: Get-CimInstance Win32_Service -Filter "Name=\'containerd\'" | Format-List State, PathName',
    ]);
  });

  test.each([
    [
      'has imports',
      "imports = ['C:\\k\\conf.d\\*.toml']",
      'WARN',
      'imports may override this and are not checked: C:\\k\\conf.d\\*.toml',
    ],
    [
      "has another version's table",
      "[plugins.'io.containerd.grpc.v1.cri'.cni]",
      'WARN',
      "[plugins.'io.containerd.grpc.v1.cri'.cni] belongs to another version and is ignored; version 3 reads [plugins.'io.containerd.cri.v1.runtime'.cni]",
    ],
    [
      'has a folder for one runtime',
      "[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.hyperv]\ncni_conf_dir = 'C:\\h'\n[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.process]\ncni_conf_dir = ''",
      'WARN',
      'pods of runtime hyperv use another folder (cni_conf_dir), which is not checked',
    ],
    [
      'sets both bin_dir and bin_dirs',
      "[plugins.'io.containerd.cri.v1.runtime'.cni]\nbin_dir = 'C:\\a'\nbin_dirs = ['C:\\b']",
      'FAIL',
      'bin_dir and bin_dirs are both set, which containerd rejects if it supports bin_dirs: remove one of them',
    ],
  ])('that %s may have other folders', (_, text, verdict, doubt) => {
    const config = { value: readContainerdConfig(`version = 3\n${text}`) };
    expect(
      diagnosisTexts(containerd.diagnose(facts({ containerd: { ...facts().containerd, config } }))),
    ).toEqual([
      `${verdict} plugins in C:\\opt\\cni\\bin, configurations in C:\\etc\\cni\\net.d (C:\\k\\config.toml, version 3); ${doubt} | see: containerd --config C:\\k\\config.toml config dump`,
    ]);
  });

  test('of version 2 may have both bin_dir and bin_dirs', () => {
    const text =
      "version = 2\n[plugins.'io.containerd.grpc.v1.cri'.cni]\nbin_dir = 'C:\\a'\nbin_dirs = ['C:\\b']";
    const config = { value: readContainerdConfig(text) };
    const found = containerd.diagnose(facts({ containerd: { ...facts().containerd, config } }));
    expect(found).toMatchObject([{ verdict: 'WARN' }]);
  });

  test.each([
    [true, 'FAIL service containerd is not running | fix: Start-Service containerd'],
    [
      false,
      'WARN containerd is not running, and there is no service containerd | see: Get-CimInstance Win32_Service -Filter "Name=\'containerd\'" | Format-List State, PathName',
    ],
  ])('that is not running is reported, installed as a service: %j', (isService, expected) => {
    const commands = { value: { isService, isRunning: false, commandLines: [] } };
    const found = containerd.diagnose(facts({ containerd: { ...facts().containerd, commands } }));
    expect(diagnosisTexts(found)).toEqual([expected, expect.stringMatching(/^PASS /)]);
  });

  test('with an unknown command line may use another configuration', () => {
    const commands = { error: 'PowerShell did not finish within 15 s' };
    const found = containerd.diagnose(facts({ containerd: { ...facts().containerd, commands } }));
    expect(diagnosisTexts(found)).toEqual([
      'UNKNOWN plugins in C:\\opt\\cni\\bin, configurations in C:\\etc\\cni\\net.d (C:\\k\\config.toml, version 2); containerd may use another configuration: its command line is unknown (PowerShell did not finish within 15 s) | see: Get-CimInstance Win32_Service -Filter "Name=\'containerd\'" | Format-List State, PathName',
    ]);
  });
});
