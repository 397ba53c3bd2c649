import { describe, expect, test } from 'vitest';
import { defaultFolders, readContainerdConfig } from '../../../../src/cli/doctor/containerd/cni-folders.ts';
import { confNames } from '../../../../src/cli/doctor/containerd/conf-file.ts';
import { configPathIn } from '../../../../src/cli/doctor/containerd/config-path.ts';

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
])("containerd's configuration by its command line: %s", (line, path) => {
  expect(configPathIn([line])).toBe(path);
});

test('the first command line that names a configuration counts', () => {
  expect(configPathIn([])).toBe('C:\\Program Files\\containerd\\config.toml');
  expect(configPathIn(['containerd.exe', 'containerd.exe -c a.toml', 'containerd.exe -c b.toml'])).toBe(
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
      'version 3 with the one folder of before',
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
      'slashes of the other kind',
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
      'the folder of a drive',
      `version = 2
       [plugins."io.containerd.grpc.v1.cri".cni]
       bin_dir = 'C:\\'
       conf_dir = 'C:/'`,
      { version: 2, folders: { binDirs: ['C:\\'], confDir: 'C:\\', maxConfNum: 1 }, imports: [] },
    ],
    ['nothing of CNI', 'version = 3', { version: 3, folders: defaultFolders, imports: [] }],
    ['nothing', '', { version: 1, folders: defaultFolders, imports: [] }],
  ])('of %s', (_, text, expected) => {
    expect(readContainerdConfig(text)).toMatchObject({ ...expected, hasBoth: false });
    expect(readContainerdConfig(text)).not.toHaveProperty('passedOver');
  });

  test.each([
    ['version = 3', 'io.containerd.grpc.v1.cri', "[plugins.'io.containerd.cri.v1.runtime'.cni]"],
    ['version = 2', 'io.containerd.cri.v1.runtime', "[plugins.'io.containerd.grpc.v1.cri'.cni]"],
    ['', 'io.containerd.grpc.v1.cri', '[plugins.cri.cni]'],
  ])("of %j has no use for another version's %s", (version, plugin, table) => {
    expect(readContainerdConfig(`${version}\n[plugins.'${plugin}'.cni]\nbin_dir = 'C:\\b'`)).toMatchObject({
      folders: defaultFolders,
      table,
      passedOver: `[plugins.'${plugin}'.cni]`,
    });
  });

  test('says where it has two settings that exclude one another', () => {
    const text = "[plugins.cri.cni]\nbin_dir = 'C:\\b'\nbin_dirs = ['C:\\c']";
    expect(readContainerdConfig(text)).toMatchObject({ hasBoth: true });
  });

  test('that is none says where', () => {
    expect(() => readContainerdConfig('version = \n')).toThrow('Invalid TOML document');
  });
});

test('containerd takes files in the order of their bytes, and passes over other endings', () => {
  const names = ['9-a.conf', '10-b.conflist', 'a.json', 'Z.conf', '10-c.conf.off', 'readme.txt', 'D.CONF'];
  expect(confNames(names)).toEqual(['10-b.conflist', '9-a.conf', 'Z.conf', 'a.json']);
});
