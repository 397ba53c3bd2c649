import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startNode } from '../node.ts';
import { runBundle } from '../process.ts';
import { type InventoryNode, startInventoryNode } from './inventory-node.ts';
import { failure, fileError, runCli, success } from './run-cli.ts';

let node: InventoryNode;
let [own, host] = ['', ''];
beforeEach(async () => {
  node = await startInventoryNode();
  [own, host] = [node.pod.netns.slice(0, 8), node.hostNamespace.slice(0, 8)];
});
afterEach(() => node.stop());

const graph = (...words: readonly string[]) => runCli(['graph', ...words], { system: node.outside });

const leftoversAndOthers = [
  '|- 10.244.1.3   gone eth0           no namespace        Detached  leftover: in no namespace',
  '|- 10.244.1.30  c0ffee              no namespace        Created   owner: another plugin  leftover: in no namespace',
  '|- 10.244.1.40  by-hand             no namespace        Created   owner: unknown',
];
const afterNetworks = () => [
  '',
  'load balancer d4e6032f  10.96.0.10  80->8080/tcp  EnableDirectServerReturn, SourceIP  owner: unknown',
  '|- 10.244.1.2  0e12d1d5a8cfb eth0  network l2bridge',
  '`- 10.244.2.7  kproxy_10.244.2.7   network l2bridge  remote',
  '',
  'namespaces without endpoints',
  `\`- ${host}  HostDefault (node)`,
];

describe('graph', () => {
  test('draws a tree', async () => {
    expect(await graph()).toEqual(
      success(
        'network l2bridge  259f4964  L2Bridge  10.244.1.0/24 via 10.244.1.1  Ethernet  owner: win-hcn',
        `|- 10.244.1.2   0e12d1d5a8cfb eth0  namespace ${own}  Attached`,
        ...leftoversAndOthers,
        '`- 1 remote endpoint (include with --remote)',
        ...afterNetworks(),
      ),
    );
  });

  test('--remote includes remote endpoints', async () => {
    expect(await graph('--remote')).toEqual(
      success(
        'network l2bridge  259f4964  L2Bridge  10.244.1.0/24 via 10.244.1.1  Ethernet  owner: win-hcn',
        `|- 10.244.1.2   0e12d1d5a8cfb eth0  namespace ${own}  Attached`,
        ...leftoversAndOthers,
        '`- 10.244.2.7   kproxy_10.244.2.7   remote              Created   owner: kube-proxy',
        ...afterNetworks(),
      ),
    );
  });

  test('wraps the tree to the terminal width, and shows problems in yellow', async () => {
    const { stdout } = await runCli(['graph'], { system: node.outside, width: 70 });
    expect(stdout.split('\n').slice(0, 11)).toEqual([
      '\u001b[1mnetwork l2bridge\u001b[22m  259f4964  L2Bridge  10.244.1.0/24 via 10.244.1.1',
      '|    Ethernet  owner: win-hcn',
      `|- 10.244.1.2   0e12d1d5a8cfb eth0  namespace ${own}  Attached`,
      '|- 10.244.1.3   gone eth0           no namespace        Detached',
      '|       \u001b[33mleftover: in no namespace\u001b[39m',
      '|- 10.244.1.30  c0ffee              no namespace        Created',
      '|       owner: another plugin  \u001b[33mleftover: in no namespace\u001b[39m',
      '|- 10.244.1.40  by-hand             no namespace        Created',
      '|       owner: unknown',
      '`- 1 remote endpoint (include with --remote)',
      '',
    ]);
  });

  test('--format mermaid draws a flowchart', async () => {
    expect(await graph('--format', 'mermaid')).toEqual(
      success(
        'flowchart LR',
        '  subgraph n0["network l2bridge<br>L2Bridge<br>10.244.1.0/24 via 10.244.1.1<br>1 remote endpoint not shown"]',
        '    e0["10.244.1.2<br>0e12d1d5a8cfb eth0"]',
        '    e1["10.244.1.3<br>gone eth0<br>leftover: in no namespace"]:::leftover',
        '    e2["10.244.1.30<br>c0ffee<br>owner: another plugin<br>leftover: in no namespace"]:::leftover',
        '    e3["10.244.1.40<br>by-hand<br>owner: unknown"]',
        '  end',
        '  ns0(["node namespace"])',
        `  ns1(["namespace ${own}<br>container 0e12d1d5a8cfb"])`,
        '  e0 --- ns1',
        '  lb0{{"load balancer d4e6032f<br>10.96.0.10<br>80-#62;8080/tcp<br>1 remote backend not shown"}}',
        '  lb0 --> e0',
        '  classDef error fill:#fdecea,stroke:#b3261e,color:#410e0b',
        '  classDef leftover fill:#fff4d6,stroke:#8a6100,color:#3d2b00',
        '  classDef remote stroke-dasharray:4 3',
      ),
    );
  });

  test('--format mermaid --remote includes remote endpoints', async () => {
    const { stdout } = await graph('--format', 'mermaid', '--remote');
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining([
        '  subgraph n0["network l2bridge<br>L2Bridge<br>10.244.1.0/24 via 10.244.1.1"]',
        '    e4["10.244.2.7<br>kproxy_10.244.2.7<br>owner: kube-proxy<br>remote"]:::remote',
        '  lb0{{"load balancer d4e6032f<br>10.96.0.10<br>80-#62;8080/tcp"}}',
        '  lb0 --> e4',
      ]),
    );
  });

  test('--format html prints the same page as the bundle', async () => {
    const clock = () => new Date('2026-01-02T03:04:05Z');
    const { stdout, ...rest } = await runCli(['graph', '--format', 'html'], {
      system: { ...node.outside, clock },
    });
    expect(rest).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^<!doctype html>\n[\x20-\x7e\n]*<\/html>\n$/);
    expect(stdout).toContain('"taken":"2026-01-02T03:04:05.000Z"');
    const shipped = await runBundle({ ...node.hns.environment }, '', ['graph', '--format', 'html']);
    expect({ ...shipped, stdout: withoutSnapshot(shipped.stdout) }).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: withoutSnapshot(stdout),
    });
  });

  test('--format html contains the node name from COMPUTERNAME', async () => {
    const environment = { COMPUTERNAME: 'WIN-3' };
    const { stdout } = await runCli(['graph', '--format', 'html'], {
      system: { ...node.outside, environment },
    });
    expect(stdout).toContain('"node":"WIN-3"');
  });

  test('--file writes the output without colors, and reports it', async () => {
    const file = 'C:\\Users\\admin\\graph.txt';
    const { written, ...printed } = await runCli(['graph', '--file', file], {
      system: node.outside,
      width: 70,
    });
    expect(printed).toEqual(failure(0, `win-hcn: wrote ${file}`));
    expect(new TextDecoder().decode(written?.[file])).toBe((await graph()).stdout);
  });

  test.each([
    ['graph.HTML', /^<!doctype html>/],
    ['graph.mmd', /^flowchart LR\n/],
    ['graph.txt', /^network l2bridge /],
  ])('--file %s selects the format by its extension', async (file, beginning) => {
    const { written } = await runCli(['graph', '--file', file], { system: node.outside });
    expect(new TextDecoder().decode(written?.[file])).toMatch(beginning);
  });

  test('--format overrides the extension of --file', async () => {
    const { written } = await runCli(['graph', '--file', 'graph.html', '--format', 'tree'], {
      system: node.outside,
    });
    expect(new TextDecoder().decode(written?.['graph.html'])).toMatch(/^network l2bridge /);
  });

  test('--file reports why it cannot write', async () => {
    const cannotWrite = () => {
      throw fileError('EACCES', "open 'C:\\graph.html'");
    };
    expect(
      await runCli(['graph', '--format', 'html', '--file', 'C:\\graph.html'], {
        system: node.outside,
        writeFile: cannotWrite,
      }),
    ).toEqual(
      failure(
        1,
        'win-hcn: cannot write C:\\graph.html: permission denied. Specify a file in an existing, writable folder.',
      ),
    );
  });

  test('--format html refuses to print to a terminal', async () => {
    const before = node.hns.calls.length;
    expect(await runCli(['graph', '--format', 'html'], { system: node.outside, width: 80 })).toEqual(
      failure(
        2,
        'win-hcn: the html format is not for terminals. Write a file with --file graph.html',
        "Run 'win-hcn graph --help' for usage.",
      ),
    );
    expect(node.hns.calls).toHaveLength(before);
  });

  test('without networks shows only namespaces', async () => {
    const empty = await startNode();
    const { stdout } = await runCli(['graph'], { system: empty.outside });
    await empty.stop();
    expect(stdout).toMatch(
      /^HCN has no networks\.\n\nnamespaces without endpoints\n`- [\da-f]{8} {2}HostDefault \(node\)\n$/,
    );
  });
});

/** A page without its time and version. */
function withoutSnapshot(page: string): string {
  return page.replace(/"taken":"[^"]*","version":"[^"]*"/, '');
}
