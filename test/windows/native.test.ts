import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findWindowsBinaries } from '../../packaging/windows-binaries.mjs';
import { parseAddress } from '../../src/net/address.ts';
import type { HostAdapter } from '../../src/net/host-adapter.ts';
import type { NodeRoute } from '../../src/net/node-route.ts';
import { canonicalPrefix } from '../../src/net/prefix.ts';
import { startHns } from '../simulator/hns.ts';
import { buildLibrary, loadedIn } from './planted.ts';
import { missing, suitePrefix } from './suite.ts';

const folder = 'C:\\probe';

describe.skipIf(missing !== undefined)('with the Node and the addon of the exe', () => {
  let hns: Awaited<ReturnType<typeof startHns>>;
  let node: string;
  afterAll(() => hns.stop());
  beforeAll(async () => {
    hns = await startHns({ profile: 'ws2025' });
    const binaries = findWindowsBinaries();
    node = suitePrefix().install(binaries.node, folder);
    const koffi = suitePrefix().hostPath(`${folder}\\node_modules\\koffi`);
    mkdirSync(koffi, { recursive: true });
    copyFileSync(binaries.koffi, `${koffi}/index.node`);
  });

  test("the IP Helper, here Wine's, lists the adapters of this machine", async () => {
    const { exitCode, stdout, stderr } = await run('loadIpHelper().readAdapters()');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const adapters: readonly HostAdapter[] = JSON.parse(stdout);
    expect(adapters).toContainEqual(expect.objectContaining({ mediaType: 24, isUp: true }));
    const found = adapters.map(({ alias, addresses }) => [alias, addresses.map(format).sort()] as const);
    expect(new Map(found.filter(([, addresses]) => addresses.length > 0))).toEqual(expected());
  });

  test("the IP Helper, here Wine's, lists the routes of this machine", async () => {
    const { exitCode, stdout, stderr } = await run('loadIpHelper().readRoutes()');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const routes: readonly NodeRoute[] = JSON.parse(stdout);
    expect(routes.map(({ prefix }) => prefix)).toEqual(expect.arrayContaining([...expectedPrefixes()]));
    for (const { prefix, nextHop } of routes) {
      expect(canonicalPrefix(prefix)).toBe(prefix);
      expect(parseAddress(nextHop)).toBe(nextHop);
    }
  });

  test('calling a function that the IP Helper lacks fails with its name', async () => {
    const { stderr } = await run('loadIpHelper().enableForwarding(1)');
    expect(stderr).toMatch(
      /cannot load C:\\windows\\system32\\iphlpapi\.dll: .*'InitializeIpInterfaceEntry'/i,
    );
  });

  test('the version of HNS comes from vmcompute.dll', async () => {
    const { stdout, stderr } = await run('hcnClient(loadComputeNetwork()).version()');
    expect({ stdout: JSON.parse(stdout), stderr }).toEqual({ stdout: { Major: 15, Minor: 4 }, stderr: '' });
  });

  test('a library loads its libraries from System32, and not from the folder of the exe', async () => {
    const needing = suitePrefix().install(buildLibrary('needing.c'), 'C:\\needing');
    const planted = suitePrefix().hostPath(`${folder}\\vmcompute.dll`);
    rmSync(`${planted}.loaded`, { force: true });
    copyFileSync(buildLibrary('marking.c'), planted);
    const { stdout, stderr } = await run(
      `Promise.resolve(useLibrary('', ${JSON.stringify(needing)}, (library) => library.func('int load()')()))`,
    );
    rmSync(planted);
    expect({ stdout, stderr }).toEqual({ stdout: '1\n', stderr: '' });
    expect(loadedIn(suitePrefix().hostPath(folder))).toEqual([]);
  });

  /** Runs a program that prints the awaited value of an expression as JSON. */
  async function run(expression: string) {
    const contents = [
      "import { hcnClient } from '../../src/hcn/client.ts';",
      "import { loadComputeNetwork } from '../../src/hcn/computenetwork.ts';",
      "import { useLibrary } from '../../src/hcn/native-library.ts';",
      "import { loadIpHelper } from '../../src/iphlpapi/load-ip-helper.ts';",
      `${expression}.then((value) => console.log(JSON.stringify(value)));`,
    ].join('\n');
    const bundle = await build({
      stdin: { contents, resolveDir: import.meta.dirname },
      bundle: true,
      write: false,
      platform: 'node',
      format: 'cjs',
      define: { 'import.meta.url': '__filename' },
    });
    const file = `${folder}\\probe.cjs`;
    writeFileSync(suitePrefix().hostPath(file), bundle.outputFiles[0]?.contents ?? '');
    const { WIN_HCN_SIMULATED_HNS } = hns.environment;
    return suitePrefix().run(node, [file], { env: { WIN_HCN_SIMULATED_HNS } });
  }
});

/** The IPv4 prefixes in Linux's route table, whose numbers are hexadecimal and little-endian. */
function expectedPrefixes(): readonly string[] {
  const [, ...lines] = readFileSync('/proc/net/route', 'utf8').trim().split('\n');
  const octets = (text = '') => [...Buffer.from(text, 'hex')].reverse();
  return lines.map((line) => {
    const [, destination, , , , , , mask] = line.split('\t');
    const bits = octets(mask).map((octet) => octet.toString(2).replaceAll('0', '').length);
    return `${octets(destination).join('.')}/${bits.reduce((sum, count) => sum + count, 0)}`;
  });
}

function format({ address, length }: HostAdapter['addresses'][number]): string {
  return `${address}/${length}`;
}

function expected(): Map<string, string[]> {
  return new Map(
    Object.entries(networkInterfaces()).map(([name, addresses = []]) => [
      name,
      addresses.map(({ cidr }) => cidr ?? '').sort(),
    ]),
  );
}
