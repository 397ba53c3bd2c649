import { describe, expect, test } from 'vitest';
import { findConfigPath } from '../../../../src/cli/containerd/commands.ts';
import { combineConfig, defaultFolders, parseConfigPart } from '../../../../src/cli/containerd/config.ts';
import { readContainerdVersion } from '../../../../src/cli/containerd/version.ts';

const read = (text: string, ...imports: readonly string[]) =>
  combineConfig(parseConfigPart(text), imports.map(parseConfigPart));

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
      { version: 3, folders: { binDirs: ['C:\\b', 'C:\\b2'], confDir: 'C:\\c', maxConfNum: 2 } },
    ],
    [
      'version 2',
      `version = 2
       [plugins."io.containerd.grpc.v1.cri"]
         [plugins."io.containerd.grpc.v1.cri".cni]
           bin_dir = 'C:\\b'
           conf_dir = 'C:\\c'`,
      { version: 2, folders },
    ],
    [
      'version 1',
      `[plugins.cri.cni]
       bin_dir = 'C:\\b'
       conf_dir = 'C:\\c'
       max_conf_num = 0`,
      { version: 1, folders: { ...folders, maxConfNum: 0 } },
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
      },
    ],
    [
      "a drive's root",
      `version = 2
       [plugins."io.containerd.grpc.v1.cri".cni]
       bin_dir = 'C:\\'
       conf_dir = 'C:/'`,
      { version: 2, folders: { binDirs: ['C:\\'], confDir: 'C:\\', maxConfNum: 1 } },
    ],
    ['no CNI table', 'version = 3', { version: 3, folders: defaultFolders }],
    ['an empty file', '', { version: 1, folders: defaultFolders }],
  ])('is read: %s', (_, text, expected) => {
    expect(read(text)).toMatchObject({ ...expected, hasBoth: false });
    expect(read(text)).not.toHaveProperty('ignoredTable');
  });

  test.each([
    ['version = 3', 'io.containerd.grpc.v1.cri', "[plugins.'io.containerd.cri.v1.runtime'.cni]"],
    ['version = 2', 'io.containerd.cri.v1.runtime', "[plugins.'io.containerd.grpc.v1.cri'.cni]"],
    ['', 'io.containerd.grpc.v1.cri', '[plugins.cri.cni]'],
  ])("of %j ignores another version's %s", (version, plugin, table) => {
    expect(read(`${version}\n[plugins.'${plugin}'.cni]\nbin_dir = 'C:\\b'`)).toMatchObject({
      folders: defaultFolders,
      table,
      ignoredTable: `[plugins.'${plugin}'.cni]`,
    });
  });

  test('may set both bin_dir and bin_dirs', () => {
    const text = "[plugins.cri.cni]\nbin_dir = 'C:\\b'\nbin_dirs = ['C:\\c']";
    expect(read(text)).toMatchObject({ hasBoth: true });
  });
});

describe('an import', () => {
  const cri = (version: number | undefined, keys: string) =>
    `${version === undefined ? '' : `version = ${version}\n`}[plugins.'io.containerd.${version === 2 ? 'grpc.v1.cri' : 'cri.v1.runtime'}'.cni]\n${keys}`;

  test('overrides single keys', () => {
    const config = read(cri(3, "bin_dirs = ['C:\\b']\nconf_dir = 'C:\\c'"), cri(3, "conf_dir = 'C:\\d'"));
    expect(config).toMatchObject({
      folders: { binDirs: ['C:\\b'], confDir: 'C:\\d', maxConfNum: 1 },
      dependsOnRelease: false,
    });
  });

  test.each([2, undefined])('is read with the table of its own version: %s', (version) => {
    const config = read(cri(3, "conf_dir = 'C:\\c'"), cri(version, "bin_dirs = ['C:\\b']"));
    expect(config.folders).toEqual({ binDirs: ['C:\\b'], confDir: 'C:\\c', maxConfNum: 1 });
  });

  test('with an empty key changes nothing', () => {
    const config = read(
      cri(3, "bin_dirs = ['C:\\b']\nconf_dir = 'C:\\c'"),
      cri(3, "bin_dirs = []\nconf_dir = ''"),
    );
    expect(config.folders).toEqual({ binDirs: ['C:\\b'], confDir: 'C:\\c', maxConfNum: 1 });
  });

  test.each([
    ['of other CRI settings', "[plugins.'io.containerd.grpc.v1.cri'.registry]\nconfig_path = 'C:\\r'", true],
    ['of the same folders', cri(2, "bin_dir = 'C:\\b'\nconf_dir = 'C:\\c'"), false],
    ['of other plugins', "[plugins.'io.containerd.gc.v1.scheduler']\npause_threshold = 0.1", false],
  ])('%s makes the folders of version 2 depend on the release of containerd: %#', (_, imported, expected) => {
    const main = cri(2, "bin_dir = 'C:\\b'\nconf_dir = 'C:\\c'");
    expect(read(main, imported)).toMatchObject({
      folders: { binDirs: ['C:\\b'], confDir: 'C:\\c' },
      dependsOnRelease: expected,
    });
  });
});

test("the version is that of the service's program, never of a process that any user can have started", async () => {
  const scripts: string[] = [];
  const powershell = async (script: string) => {
    scripts.push(script);
    return scripts.length === 1
      ? {
          stdout: JSON.stringify({
            services: ['C:\\k\\containerd.exe'],
            processes: ['C:\\u\\containerd.exe'],
          }),
        }
      : { stdout: '{"output":"containerd github.com/containerd/containerd/v2 v2.0.1 88aa2f5"}' };
  };
  expect(await readContainerdVersion({ powershell })).toBe('2.0.1');
  expect(scripts[1]).toContain(
    "@('C:\\k\\containerd.exe', 'C:\\Program Files\\containerd\\bin\\containerd.exe',",
  );
});
