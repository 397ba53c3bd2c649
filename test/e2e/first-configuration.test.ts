import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pluginsIn } from '../../src/cli/conflist/plugin-list.ts';
import { runCli } from './cli/run-cli.ts';
import { startNode } from './node.ts';

/** The lines of win-hcn in the section `First configuration`. */
function shownCommands(): readonly string[] {
  const [, section = ''] = readFileSync('docs/install.md', 'utf8').split('\n## First configuration\n');
  const [text = ''] = section.split('\n## ');
  return [...text.matchAll(/^win-hcn (.+)$/gm)].map(([, line = '']) => line);
}

test('the commands of "First configuration" in docs/install.md lead to the ADD of a pod', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'win-hcn-first-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const node = await startNode({ adapters: [{ name: 'Ethernet', managementIp: '10.0.0.4' }] });
  onTestFinished(() => node.stop());
  const conflist = join(folder, '10-win-hcn.conflist');
  const ended: [string, number][] = [];
  for (const line of shownCommands()) {
    const here = line.replaceAll(/C:\\etc\\cni\\net\.d\\(.+\.conflist)(\.new)?/g, conflist);
    const words = here.split(' ');
    const files = existsSync(conflist) ? { [conflist]: readFileSync(conflist) } : {};
    const writeFile = (path: string, bytes: Uint8Array) => writeFileSync(path, bytes);
    const listed = { [join(folder, 'other.json')]: '{}', ...files };
    const { exitCode } = await runCli(words, { system: node.outside, files: listed, writeFile });
    ended.push([words.slice(0, 2).join(' ').replace(conflist, 'FILE'), exitCode]);
  }
  expect(ended).toEqual([
    ['config generate', 0],
    ['config plan', 0],
    ['network ensure', 0],
    ['config check', 0],
  ]);
  const [plugin] = pluginsIn(JSON.parse(readFileSync(conflist, 'utf8')), 'win-hcn.exe');
  expect(await node.add(plugin?.config ?? {})).toMatchObject({
    exitCode: 0,
    json: { ips: [{ address: '10.244.1.3/24', gateway: '10.244.1.2' }] },
  });
});
