import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Node, startNode } from '../node.ts';
import { config, network } from './l2bridge.ts';
import { type CliEnvironment, failure, type Printed, problem, runCli, success } from './run-cli.ts';

const hostEndpoint = 'c8faa31f-9a0f-5767-9900-0b7e896e4025';
const flannels = 'c3e6032f-bbf7-4b5a-880f-667bebc65503';
const impact =
  'Creating network "l2bridge" interrupts adapter "Ethernet", usually for 6 to 20 s: connections to the node through it, such as ' +
  'RDP and SSH, may break, and the adapter may lose a static address (microsoft/SDN#498).';
const createStep = `1. create L2Bridge network "l2bridge" (${network})`;
const waiting = 'waiting for adapter "Ethernet" to come back with an address';
const creating = `creating L2Bridge network "l2bridge", ${waiting}`;
const described = `network "l2bridge" ${network} (L2Bridge, adapter "Ethernet", 10.244.1.0/24)`;

let node: Node;
beforeEach(async () => {
  node = await startNode();
});
afterEach(() => node.stop());

async function restart(start: () => Promise<Node>): Promise<void> {
  await node.stop();
  node = await start();
}

function ensure(given: object, surroundings: CliEnvironment = {}): Promise<Printed> {
  return run(['--yes'], given, surroundings);
}

function run(options: readonly string[], given: object, surroundings: CliEnvironment = {}): Promise<Printed> {
  const files = { 'net.conf': JSON.stringify(given) };
  const words = ['network', 'ensure', 'net.conf', ...options];
  return runCli(words, { files, system: node.outside, ...surroundings });
}

const hostNamespace = () =>
  String(node.hns.dump().namespaces.find(({ NamespaceId }) => NamespaceId === 1)?.['ID']);

const hostEndpointSteps = (first: number) => [
  `${first}. create host endpoint "l2bridge_ep" (${hostEndpoint})`,
  `${first + 1}. attach host endpoint "l2bridge_ep" to the host namespace ${hostNamespace()}`,
  `${first + 2}. enable forwarding on the adapter of network "l2bridge" and on host endpoint 10.244.1.2, and delete its default routes`,
];

const objects = () => {
  const { networks, endpoints } = node.hns.dump();
  return { networks, endpoints };
};
const nothing = { networks: [], endpoints: [] };

const lines = (...all: readonly string[]) => `${all.join('\n')}\n`;
const created = lines(createStep, impact, `${described} was created`);

describe('network ensure', () => {
  test('shows its steps and what they interrupt, and creates nothing without --yes', async () => {
    expect(await run([], config({ hostEndpoint: {} }))).toEqual(
      problem(createStep, ...hostEndpointSteps(2), impact, 'No changes made. Rerun with --yes to apply.'),
    );
    expect(objects()).toEqual(nothing);
  });

  test('creates the same network as ADD, and shows the interruption', async () => {
    expect(await ensure(config())).toEqual({
      exitCode: 0,
      stdout: created,
      stderr: lines(creating),
    });
    const byEnsure = node.hns.calls.find((call) => call.function === 'HcnCreateNetwork')?.document;
    await restart(startNode);
    await node.add(config());
    expect(node.hns.calls.find((call) => call.function === 'HcnCreateNetwork')?.document).toEqual(byEnsure);
  });

  test('creates the host endpoint, and changes nothing the second time', async () => {
    const given = config({ hostEndpoint: {} });
    expect(await ensure(given)).toEqual({
      exitCode: 0,
      stdout: lines(
        createStep,
        ...hostEndpointSteps(2),
        impact,
        `${described} was created`,
        'host endpoint 10.244.1.2 on it was created',
      ),
      stderr: lines(creating),
    });
    const before = objects();
    expect(await ensure(given)).toEqual(
      success(`${described} exists as configured`, 'host endpoint 10.244.1.2 on it exists as configured'),
    );
    expect(objects()).toEqual(before);
  });

  test('shows how an existing network differs from the configuration', async () => {
    await ensure(config());
    const before = objects();
    const overlay = { networkType: 'Overlay', subnets: [{ subnet: '10.244.1.0/24', vsid: 4096 }] };
    expect(await ensure(config(overlay))).toEqual(
      failure(
        1,
        'win-hcn: network "l2bridge" exists but differs from the configuration: networkType is L2Bridge, expected Overlay',
        '                       configuration  HNS',
        'networkType            Overlay        L2Bridge',
        'vsid of 10.244.1.0/24  4096           none',
        'change the configuration, or delete the network when no pod uses it: win-hcn network delete l2bridge --yes',
      ),
    );
    expect(objects()).toEqual(before);
  });
});

describe('while the adapter has no address', () => {
  /** HNS returns no address of the node for this many queries, four in a second. */
  const adapterIsAway = (queries: number) => {
    for (let query = 1; query <= queries; query += 1)
      node.hns.inject({
        function: 'HcnQueryNetworkProperties',
        ordinal: 2 * query,
        effect: { answer: '{}' },
      });
  };

  test('network ensure waits for the adapter, and says so', async () => {
    adapterIsAway(28);
    expect(await ensure(config())).toEqual({
      exitCode: 0,
      stdout: created,
      stderr: lines(creating),
    });
  });

  test('network ensure keeps a network that is not ready in time, and waits for it again', async () => {
    await restart(() => startNode({ providerAddressDelayMs: 600_000 }));
    const given = config({ networkType: 'Overlay', subnets: [{ subnet: '10.244.1.0/24', vsid: 4096 }] });
    const stays = 'network "l2bridge" was created and stays: the next request uses it';
    const late = (text: string, more: string) => [
      text,
      'win-hcn: network "l2bridge" has no usable address of the node after 20 s',
      `check that the adapter is up and has an address: Get-NetIPAddress${more}`,
    ];
    expect(await ensure(given)).toEqual({
      exitCode: 1,
      stdout: lines(
        createStep.replace('L2Bridge', 'Overlay'),
        '2. add HostRoute to network "l2bridge"',
        impact,
      ),
      stderr: lines(...late(creating.replace('L2Bridge', 'Overlay'), `; ${stays}`)),
    });
    expect(await ensure(given)).toEqual({
      exitCode: 1,
      stdout: lines('1. add HostRoute to network "l2bridge"'),
      stderr: lines(...late(waiting, '')),
    });
  });
});

test('network ensure leaves at most the network and its host endpoint after a failed call', async () => {
  const given = config({ hostEndpoint: {} });
  await restart(startNode);
  await ensure(given);
  const calls = node.hns.calls.map((call) => call.function);
  const lookBefore = calls.lastIndexOf('HcnEnumerateNetworks', calls.indexOf('HcnCreateNetwork'));
  const lookAfter = calls.lastIndexOf('HcnEnumerateNetworks');
  const previewOfCreation = calls.indexOf('HcnOpenEndpoint', calls.indexOf('HcnOpenEndpoint') + 1);
  const isOfOthers = (index: number) => [lookBefore, lookAfter].includes(index);
  for (const [index, name] of calls.entries()) {
    await restart(startNode);
    node.hns.inject({ ordinal: index + 1, effect: { hresult: 0x80004005 } });
    const call = node.hns.calls;
    const { exitCode } = await ensure(given);
    const isV1 = JSON.stringify(call[index]?.document ?? '').includes('"Major":1');
    node.hns.clearFaults();
    if (name === 'HcnModifyNamespace') expect(exitCode, 'attaching a host endpoint is retried').toBe(0);
    else if (name === 'HcnCreateEndpoint' || index === previewOfCreation)
      expect(exitCode, 'the host endpoint is created without a route').toBe(0);
    else if (name === 'HcnOpenNetwork') expect(exitCode, 'the network is looked up by its name').toBe(0);
    else if (isOfOthers(index)) expect(exitCode, 'HNS decides about the other networks').toBe(0);
    else if (/^Hcn(Enumerate|Open|Query)Namespace/.test(name))
      expect(exitCode, 'IsDefault has an alternative').toBe(0);
    else if (isV1) expect(exitCode, 'the address of the node is only waited for').toBe(0);
    else {
      const names = node.hns.dump().endpoints.map(({ Name }) => Name);
      const left = names.filter((one) => one !== 'l2bridge_ep');
      expect([exitCode, left], `call ${index + 1}: ${name}`).toEqual([1, []]);
    }
  }
});

describe('network delete', () => {
  const remove = (...words: readonly string[]) =>
    runCli(['network', 'delete', ...words], {
      files: { 'net.conf': JSON.stringify(config()), 'nameless.conf': '{}' },
      system: node.outside,
    });
  const plan = [
    `1. delete network "l2bridge" (${network}) and its host endpoint (${hostEndpoint})`,
    'The node loses its host endpoint (10.244.1.2/24), which may be the gateway of pods.',
    'Connections to the node through adapter "Ethernet", such as RDP and SSH, can be interrupted.',
  ];

  test.each(['l2bridge', 'L2BRIDGE', '259f', 'net.conf'])(
    'shows the effects for %s, and deletes nothing without --yes',
    async (given) => {
      await ensure(config({ hostEndpoint: {} }));
      const before = objects();
      expect(await remove(given)).toEqual(problem(...plan, 'No changes made. Rerun with --yes to apply.'));
      expect(objects()).toEqual(before);
    },
  );

  test('deletes the network and its host endpoint with --yes', async () => {
    await ensure(config({ hostEndpoint: {} }));
    expect(await remove('l2bridge', '--yes')).toEqual({
      exitCode: 0,
      stdout: `${[...plan, `network "l2bridge" ${network} was deleted`].join('\n')}\n`,
      stderr: 'deleting L2Bridge network "l2bridge"\n',
    });
    expect(objects()).toEqual(nothing);
  });

  test('succeeds for the file of a missing network, and fails for an unknown key', async () => {
    expect(await remove('net.conf', '--yes')).toEqual(
      success('HCN has no network "l2bridge": nothing to delete'),
    );
    expect(await remove('l2bridge', '--yes')).toEqual(
      failure(1, 'win-hcn: HCN has no network "l2bridge". Run win-hcn ls --remote to list all objects.'),
    );
    expect(await remove('nameless.conf', '--yes')).toEqual(
      failure(1, 'nameless.conf:1:1: problem: /name is missing'),
    );
  });

  test('keeps a network and its host endpoint if another request adds an endpoint', async () => {
    await ensure(config({ hostEndpoint: {} }));
    const before = objects();
    const answer = JSON.stringify([hostEndpoint, flannels]);
    node.hns.inject({ function: 'HcnEnumerateEndpoints', ordinal: 2, effect: { answer } });
    expect(await remove('l2bridge', '--yes')).toMatchObject({
      exitCode: 1,
      stderr: `deleting L2Bridge network "l2bridge"\nwin-hcn: network "l2bridge" ${network} is not deleted: an endpoint was created on it in the meantime\n`,
    });
    expect(objects()).toEqual(before);
  });

  test('keeps a network while endpoints cannot be read', async () => {
    await ensure(config({ hostEndpoint: {} }));
    const before = objects();
    node.hns.inject({ function: 'HcnQueryEndpointProperties', effect: { hresult: 0x80004005 } });
    expect(await remove('l2bridge', '--yes')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining(
        `\nwin-hcn: network "l2bridge" ${network} is not deleted: unreadable endpoints may be attached to it\n`,
      ),
    });
    expect(objects()).toEqual(before);
  });

  /** Creates a host endpoint as another plugin does. */
  const addToNode = async () => {
    await node.hcn.createEndpoint(network, flannels, {
      Name: 'l2bridge_ep',
      HostComputeNetwork: network,
      IpConfigurations: [{ IpAddress: '10.244.1.9' }],
      SchemaVersion: { Major: 2, Minor: 0 },
    });
    const system = node.hns.dump().namespaces.find(({ NamespaceId }) => NamespaceId === 1);
    await node.hcn.addEndpoint(String(system?.['ID']), flannels);
  };

  test('deletes the host endpoint that another plugin created', async () => {
    await ensure(config());
    await addToNode();
    expect(await remove('l2bridge', '--yes')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(
        `1. delete network "l2bridge" (${network}) and its host endpoint (${flannels})\n`,
      ),
    });
    expect(objects()).toEqual(nothing);
  });
});
