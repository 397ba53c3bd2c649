import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { defaultFolders } from '../../src/cli/containerd/config.ts';

test('docs/install.md names the same default folders of containerd as doctor', () => {
  const { binDirs, confDir } = defaultFolders;
  const [plugins, conflists] = [...binDirs, confDir].map((folder) =>
    folder.replace('C:\\Program Files', '%ProgramFiles%'),
  );
  expect(readFileSync('docs/install.md', 'utf8')).toContain(
    `| containerd and nerdctl, by default | \`${plugins}\` | \`${conflists}\` |`,
  );
});
