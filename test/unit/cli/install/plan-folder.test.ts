import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FileStatus } from '../../../../src/cli/install/files.ts';
import { planFolder } from '../../../../src/cli/install/plan-folder.ts';
import { impatientFiles, newFolder } from './bin-folder.ts';

/** A node whose only folders are these, without links. */
const nodeWith = (...folders: readonly string[]) => ({
  ...impatientFiles,
  status: (path: string): FileStatus | undefined =>
    folders.includes(path) ? { kind: 'folder', links: 1 } : undefined,
  resolve: (path: string) => path,
});

test('the missing parts of a path are created, the topmost first', () => {
  expect(planFolder('C:\\opt\\cni\\bin', nodeWith('C:\\', 'C:\\opt'))).toEqual({
    path: 'C:\\opt\\cni\\bin',
    missing: ['C:\\opt\\cni', 'C:\\opt\\cni\\bin'],
    remarks: [],
  });
});

test('a server that is not available is not taken for a folder of the current drive', () => {
  expect(() => planFolder('\\\\server\\share\\bin', nodeWith('\\', 'C:\\'))).toThrow(
    'server \\\\server is not available. Specify folders on this node with --bin-dir and --conf-dir.',
  );
});

test('a file that cannot be examined has a state of its own, so that --watch goes on', () => {
  const folder = newFolder({ file: '' });
  expect(impatientFiles.stamp(join(folder, 'missing'))).toBe('missing');
  expect(impatientFiles.stamp(join(folder, 'x\0'))).toContain('ERR_INVALID_ARG_VALUE');
});
