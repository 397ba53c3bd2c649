import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { runBundle } from '../process.ts';
import { type InventoryNode, loadBalancer, startInventoryNode } from './inventory-node.ts';
import { failure, fileError, runCli } from './run-cli.ts';

let node: InventoryNode;
beforeEach(async () => {
  node = await startInventoryNode();
});
afterEach(() => node.stop());

const environment = { COMPUTERNAME: 'WIN-3' };
const clock = () => new Date('2026-01-02T03:04:05Z');
const graph = (words: readonly string[], width?: number) =>
  runCli(['graph', ...words], {
    system: { ...node.outside, clock, environment },
    ...(width !== undefined && { width }),
  });
const usage = "Run 'win-hcn graph --help' for usage.";

describe('graph', () => {
  test('prints the same page as the bundle', async () => {
    const { stdout, ...rest } = await graph([]);
    expect(rest).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^<!doctype html>\n[\x20-\x7e\n]*<\/html>\n$/);
    expect(stdout).toContain('"taken":"2026-01-02T03:04:05.000Z"');
    const shipped = await runBundle({ ...node.hns.environment, ...environment }, '', ['graph']);
    expect({ ...shipped, stdout: withoutSnapshot(shipped.stdout) }).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: withoutSnapshot(stdout),
    });
  });

  test('contains the node name from COMPUTERNAME', async () => {
    expect((await graph([])).stdout).toContain('"node":"WIN-3"');
  });

  test.each([[], ['-o', 'wide']])('refuses to print the page to a terminal: %j', async (...words) => {
    const before = node.hns.calls.length;
    expect(await graph(words, 80)).toEqual(
      failure(
        2,
        'win-hcn: the HTML page is not for terminals. Write it with --file graph.html, or list objects with win-hcn ls',
        usage,
      ),
    );
    expect(node.hns.calls).toHaveLength(before);
  });

  test.each(['graph.html', 'C:\\Users\\admin\\Graph.HTML'])('--file %s writes the page', async (file) => {
    const { written, ...printed } = await graph(['--file', file], 80);
    expect(printed).toEqual(failure(0, `win-hcn: wrote ${file}`));
    expect(new TextDecoder().decode(written?.[file])).toBe((await graph([])).stdout);
  });

  test.each([
    ['graph.svg', 'graph.svg'],
    ['graph.htm', 'graph.htm'],
    ['C:\\graph.html\\graph', 'C:\\graph.html\\graph'],
    ['', "''"],
  ])('--file %j writes nothing', async (file, shown) => {
    const before = node.hns.calls.length;
    expect(await graph(['--file', file])).toEqual(
      failure(
        2,
        `win-hcn: ${shown} does not end with .html: graph writes an HTML page. -o json and -o yaml write data to any file`,
        usage,
      ),
    );
    expect(node.hns.calls).toHaveLength(before);
  });

  test.each([
    ['json', (text: string) => JSON.parse(text)],
    ['yaml', (text: string) => parse(text)],
  ])('-o %s prints the data to a terminal, and --file writes it', async (format, read) => {
    const { stdout, ...rest } = await graph(['-o', format], 80);
    expect(rest).toEqual({ exitCode: 0, stderr: '' });
    expect(read(stdout)).toMatchObject({
      taken: '2026-01-02T03:04:05.000Z',
      node: 'WIN-3',
      networks: [{ name: 'l2bridge' }],
      loadBalancers: [{ id: loadBalancer }],
    });
    const { written, ...printed } = await graph(['-o', format, '--file', 'graph.data']);
    expect(printed).toEqual(failure(0, 'win-hcn: wrote graph.data'));
    expect(new TextDecoder().decode(written?.['graph.data'])).toBe(stdout);
  });

  test('--file reports why it cannot write', async () => {
    const cannotWrite = () => {
      throw fileError('EACCES', "open 'C:\\graph.html'");
    };
    expect(
      await runCli(['graph', '--file', 'C:\\graph.html'], { system: node.outside, writeFile: cannotWrite }),
    ).toEqual(
      failure(
        1,
        'win-hcn: cannot write C:\\graph.html: permission denied. Specify a file in an existing, writable folder.',
      ),
    );
  });
});

/** A page without its time and version. */
function withoutSnapshot(page: string): string {
  return page.replace(/"taken":"[^"]*","version":"[^"]*"/, '');
}
