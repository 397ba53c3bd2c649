import { describe, expect, test } from 'vitest';
import { findConfigPath } from '../../../../src/cli/containerd/commands.ts';
import { defaultFolders, parseConfig } from '../../../../src/cli/containerd/config.ts';

test.each([
  [
    ['"C:\\Program Files\\containerd\\containerd.exe" --config "C:\\k s\\config.toml" --run-service'],
    'C:\\k s\\config.toml',
  ],
  [['"C:\\k s\\containerd.exe" "--config=C:\\k s\\config.toml" --run-service'], 'C:\\k s\\config.toml'],
  [['C:\\k\\containerd.exe --config=C:\\k\\config.toml'], 'C:\\k\\config.toml'],
  [['containerd.exe', 'containerd.exe -c a.toml --log-level debug', 'containerd.exe -c b.toml'], 'a.toml'],
  [['C:\\k\\containerd.exe --service-name containerd'], 'C:\\Program Files\\containerd\\config.toml'],
  [[], 'C:\\Program Files\\containerd\\config.toml'],
])("containerd's configuration file follows from its command lines: %j", (lines, path) => {
  expect(findConfigPath(lines)).toBe(path);
});

describe("containerd's config.toml", () => {
  const folders = { binDirs: ['C:\\b'], confDir: 'C:\\c', maxConfNum: 1 };
  test.each([
    [
      'version 3',
      `version = 3
       imports = ['conf.d\\*.toml']
       [plugins.'io.containerd.cri.v1.runtime'.cni]
       bin_dirs = ['C:\\b', 'C:\\b2']
       conf_dir = 'C:\\c'
       max_conf_num = 2`,
      {
        version: 3,
        folders: { binDirs: ['C:\\b', 'C:\\b2'], confDir: 'C:\\c', maxConfNum: 2 },
        imports: ['conf.d\\*.toml'],
      },
    ],
    [
      'version 2',
      `version = 2
       [plugins."io.containerd.grpc.v1.cri"]
         [plugins."io.containerd.grpc.v1.cri".cni]
           bin_dir = "C:/b/"
           conf_dir = "C:/"`,
      { version: 2, folders: { ...folders, confDir: 'C:\\' }, imports: [] },
    ],
    [
      'version 1',
      `[plugins.cri.cni]
       bin_dir = 'C:\\b'
       bin_dirs = []
       conf_dir = '/c'
       max_conf_num = 0`,
      { version: 1, folders: { ...folders, confDir: '/c', maxConfNum: 0 }, imports: [] },
    ],
    ['no CNI table', 'version = 3', { version: 3, folders: defaultFolders, imports: [] }],
    ['an empty file', '', { version: 1, folders: defaultFolders, imports: [] }],
  ])('is read: %s', (_, text, expected) => {
    expect(parseConfig(text)).toEqual(expected);
  });

  test.each([
    [
      "another version's table",
      "version = 3\n[plugins.'io.containerd.grpc.v1.cri'.cni]\nbin_dir = 'C:\\b'",
      "[plugins.'io.containerd.grpc.v1.cri'.cni] is ignored: version 3 reads [plugins.'io.containerd.cri.v1.runtime'.cni]",
    ],
    [
      'both bin_dir and bin_dirs',
      "[plugins.cri.cni]\nbin_dir = 'C:\\b'\nbin_dirs = ['C:\\c']",
      'bin_dir and bin_dirs are both set, which newer releases of containerd reject: remove one of them',
    ],
  ])('has a problem: %s', (_, text, problem) => {
    expect(parseConfig(text).problem).toBe(problem);
  });
});
