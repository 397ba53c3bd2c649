// How commands report files that they cannot read or write.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Node, startNode } from '../node.ts';
import { runBundle, startBundle } from '../process.ts';
import { failure, fileError, runCli } from './run-cli.ts';

let node: Node;
let folder: string;
beforeAll(async () => {
  node = await startNode();
  folder = mkdtempSync(join(tmpdir(), 'win-hcn-files-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  return node.stop();
});

describe('a file that does not exist is named, with the reason', () => {
  const netns = '7c806792-3d8f-4c7b-9e51-0d4f6a3b2c1d';
  test.each([
    'config check a.conflist',
    'network ensure a.conflist',
    'network delete a.conflist',
    `debug cni add --conf a.conflist --container pod1 --netns ${netns}`,
  ])('by %s', async (words) => {
    expect(await runCli(words.split(' '), { system: node.outside })).toEqual(
      failure(2, 'win-hcn: cannot read a.conflist: no such file'),
    );
  });
});

describe('the reason is in words for', () => {
  test.each([
    ['EACCES', 'permission denied'],
    ['EISDIR', 'it is a folder'],
    ['ENOTDIR', 'no such file'],
    ['EBUSY', 'another program uses it'],
    ['ENAMETOOLONG', 'the path is too long'],
    ['UNKNOWN', 'the text of the operating system'],
  ])('%s', async (code, reason) => {
    const files = Object.defineProperty({}, 'a.conflist', {
      get: () => {
        throw fileError(code, "open 'a.conflist'");
      },
    });
    expect(await runCli(['config', 'check', 'a.conflist'], { files })).toEqual(
      failure(2, `win-hcn: cannot read a.conflist: ${reason}`),
    );
  });
});

describe('as a process', () => {
  const ensure = { networkType: 'L2Bridge', subnets: [{ subnet: '10.244.1.0/24' }], remoteSubnets: [] };
  const conf = () => join(folder, 'net.conf');
  const huge = () => join(folder, 'huge');
  beforeAll(() => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    writeFileSync(conf(), JSON.stringify({ cniVersion: '1.0.0', name: 'pods', type: 'win-hcn', ...ensure }));
    writeFileSync(huge(), '');
    truncateSync(huge(), 2 ** 40);
  });

  describe('a file without end, or too large, is refused at once', () => {
    test.each([
      ['by config check, which reads at most 1 MiB', ['config', 'check'], 'it exceeds 1048576 bytes (1 MiB)'],
      [
        'by network sync --nodes, which reads at most 64 MiB',
        ['network', 'sync', 'CONF', '--nodes'],
        'it exceeds 67108864 bytes (64 MiB)',
      ],
    ])('%s', async (_, given, tooLong) => {
      const words = given.map((word) => (word === 'CONF' ? conf() : word));
      const refused = async (path: string, reason: string) =>
        expect(await runBundle(node.hns.environment, '', [...words, path])).toEqual(
          failure(2, `win-hcn: cannot read ${path}: ${reason}`),
        );
      await refused('/dev/zero', 'it is not a regular file');
      await refused(join(folder, 'pipe'), 'it is not a regular file');
      await refused('CON', 'it is a Windows device or pipe, not a file');
      await refused(huge(), tooLong);
    });
  });

  test('Ctrl+C ends a command that reads a stdin without end', async () => {
    let stdin = new Readable();
    // A pipe holds a part of this: win-hcn reads the rest.
    const reads = new Promise<void>((resolve) => {
      let left = 12;
      const piece = Buffer.alloc(64 * 1024, ' ');
      stdin = new Readable({ read: () => (left-- > 0 ? void stdin.push(piece) : resolve()) });
    });
    const running = startBundle({}, stdin, ['config', 'check', '-']);
    await reads;
    running.interrupt();
    expect(await running.ended).toEqual({ exitCode: null, stdout: '', stderr: '' });
  });
});
