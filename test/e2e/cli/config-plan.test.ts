import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Policy } from '../../../src/hcn/documents.ts';
import { example } from '../example.ts';
import { type Node, startNode } from '../node.ts';
import { config, network } from './l2bridge.ts';
import { type Printed, problem, runCli, success } from './run-cli.ts';

const endpoint = '7a4ff8e8-36a2-58f8-8dd7-59b3c47de727';
/** What the file has: the network has no host endpoint. */
const read = [
  "net.conf:1:94: warning: the pods' gateway 10.244.1.1 must be a router: without one, set hostEndpoint, or pods reach no other subnet",
  'net.conf: win-hcn configuration, network type L2Bridge',
];
const valid = [...read, 'net.conf: 1 warning', ''];
const SchemaVersion = { Major: 2, Minor: 0 };
const networkDocument = {
  ID: network,
  Name: 'l2bridge',
  Type: 'L2Bridge',
  Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } }],
  Ipams: [
    {
      Type: 'Static',
      Subnets: [
        {
          IpAddressPrefix: '10.244.1.0/24',
          Routes: [{ NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' }],
        },
      ],
    },
  ],
  SchemaVersion,
};
const endpointDocument = {
  ID: endpoint,
  Name: 'pod1_l2bridge_eth0',
  HostComputeNetwork: network,
  IpConfigurations: [{ IpAddress: '10.244.1.7', PrefixLength: 24 }],
  Routes: [{ NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' }],
  SchemaVersion,
};

let node: Node;
beforeEach(async () => {
  node = await startNode();
});
afterEach(() => node.stop());

function plan(given: object, ...words: readonly string[]): Promise<Printed> {
  const files = { 'net.conf': JSON.stringify(given) };
  return runCli(['config', 'plan', 'net.conf', ...words], { files, system: node.outside });
}

/** The titles of a plan's steps. */
async function titles(given: object, ...words: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await plan(given, ...words);
  return stdout.split('\n').filter((line) => /^\d\. /.test(line));
}

describe('config plan', () => {
  test('prints the steps and documents of an ADD on a new network, and changes nothing', async () => {
    const { netns } = node.newPod();
    const before = node.hns.dump();
    expect(await plan(config(), '--netns', netns, '--address', '10.244.1.7')).toEqual(
      success(
        ...valid,
        `1. create L2Bridge network "l2bridge" (${network})`,
        JSON.stringify(networkDocument, undefined, 2),
        '',
        `2. create endpoint "pod1_l2bridge_eth0" (${endpoint})`,
        JSON.stringify(endpointDocument, undefined, 2),
        '',
        `3. attach endpoint "pod1_l2bridge_eth0" to namespace ${netns}`,
      ),
    );
    const { networks, endpoints, namespaces } = node.hns.dump();
    expect({ networks, endpoints, namespaces }).toEqual({
      networks: before.networks,
      endpoints: before.endpoints,
      namespaces: before.namespaces,
    });
  });

  test('does not run the IPAM plugin', async () => {
    expect(await titles(config({ ipam: { type: 'host-local', subnet: '10.244.1.0/24' } }))).toEqual([
      '1. assign addresses with IPAM plugin host-local',
      `2. create L2Bridge network "l2bridge" (${network})`,
      `3. create endpoint "pod1_l2bridge_eth0" (${endpoint})`,
    ]);
    expect(node.ipam.runs).toEqual([]);
  });

  test('shows only what is missing, and deletes the endpoint of an interrupted ADD', async () => {
    const given = config({ hostEndpoint: {} });
    const pod = node.newPod('pod1');
    const all = [
      expect.stringMatching(/^1\. create L2Bridge network "l2bridge" /),
      expect.stringMatching(/^2\. create host endpoint "l2bridge_ep" /),
      expect.stringMatching(/^3\. attach host endpoint "l2bridge_ep" to the host namespace /),
      '4. enable forwarding on the adapter of network "l2bridge" and on host endpoint 10.244.1.2, and delete its default routes',
      expect.stringMatching(/^5\. create endpoint /),
      expect.stringMatching(/^6\. attach endpoint /),
    ];
    expect(await titles(given, '--netns', pod.netns)).toEqual(all);
    await node.add(given, node.newPod('pod2'));
    const [existing] = node.hns.dump().networks;
    const document = { Name: 'left', SchemaVersion };
    const HostComputeNetwork = String(existing?.['ID']);
    await node.hcn.createEndpoint(HostComputeNetwork, endpoint, { ...document, HostComputeNetwork });
    expect(await titles(given, '--netns', pod.netns)).toEqual([
      '1. enable forwarding on the adapter of network "l2bridge" and on host endpoint 10.244.1.2, and delete its default routes',
      `2. delete leftover endpoint "left" (${endpoint})`,
      `3. create endpoint "pod1_l2bridge_eth0" (${endpoint})`,
      `4. attach endpoint "pod1_l2bridge_eth0" to namespace ${pod.netns}`,
    ]);
  });
});

/** A network of another program on the only adapter of the node. */
function createOther(Type: string, IpAddressPrefix: string, policies: readonly Policy[] = []) {
  return node.hcn.createNetwork('d0c4e732-8b1a-4f6d-9c55-3e7a1f2b9d04', {
    Name: 'other',
    Type,
    Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } }],
    Ipams: [{ Type: 'Static', Subnets: [{ IpAddressPrefix, Policies: policies }] }],
    SchemaVersion,
  });
}

describe('config plan on a node with another network on the adapter', () => {
  const steps = [
    `1. create L2Bridge network "l2bridge" (${network})`,
    JSON.stringify(networkDocument, undefined, 2),
    '',
    `2. create endpoint "pod1_l2bridge_eth0" (${endpoint})`,
    JSON.stringify(endpointDocument, undefined, 2),
  ];

  test('of another type warns that HNS may refuse the new network', async () => {
    await createOther('Overlay', '10.244.0.0/16', [{ Type: 'VSID', Settings: { IsolationId: 4096 } }]);
    expect(await plan(config(), '--address', '10.244.1.7')).toEqual(
      success(
        ...read,
        'this node: warning: adapter "Ethernet" is in use by Overlay network "other": HNS may refuse to put L2Bridge network "l2bridge" on it; set "adapter" to another adapter, or delete "other" if nothing uses it: win-hcn network delete other',
        'net.conf: 2 warnings',
        '',
        ...steps,
      ),
    );
  });

  test('that is Transparent names it as a problem, because HNS refuses the new network', async () => {
    await createOther('Transparent', '10.0.0.0/24');
    const { exitCode, stdout } = await plan(config());
    expect({ exitCode, problem: stdout.split('\n')[2] }).toEqual({
      exitCode: 1,
      problem:
        'this node: problem: adapter "Ethernet" is in use by Transparent network "other": HNS does not put L2Bridge network "l2bridge" on it; set "adapter" to another adapter, or delete "other" if nothing uses it: win-hcn network delete other',
    });
  });
});

describe('config plan with the capabilities of a runtime', () => {
  test('adds runtimeConfig of the file to the documents', async () => {
    const runtimeConfig = {
      portMappings: [{ hostPort: 8080, containerPort: 80, protocol: 'tcp' }],
      dns: { servers: ['10.96.0.10'], searches: ['cluster.local'] },
      mac: '00:15:5d:11:22:33',
      ips: ['10.244.1.9'],
    };
    const { stdout } = await plan(config({ runtimeConfig }), '-o', 'json');
    expect(JSON.parse(stdout).plan).toEqual({
      steps: [
        { step: 'create network', id: network, document: networkDocument },
        {
          step: 'create endpoint',
          network,
          id: endpoint,
          document: {
            ...endpointDocument,
            IpConfigurations: [{ IpAddress: '10.244.1.9', PrefixLength: 24 }],
            MacAddress: '00-15-5D-11-22-33',
            Dns: { Search: ['cluster.local'], ServerList: ['10.96.0.10'] },
            Policies: [
              {
                Type: 'PortMapping',
                Settings: { Protocol: 6, InternalPort: 80, ExternalPort: 8080, Flags: 1 },
              },
            ],
          },
        },
      ],
      problems: [],
      warnings: [],
    });
  });
});

describe('config plan exits with an error', () => {
  test('1 for a problem in the file', async () => {
    expect(await plan(config({ subnet: 1 }))).toEqual(
      problem(
        'net.conf:1:122: problem: /subnet is an unknown key (value: 1), did you mean "subnets"?',
        'net.conf: win-hcn configuration',
        'net.conf: 1 problem',
      ),
    );
    expect(node.hns.calls).toEqual([]);
  });

  test.each([
    [
      ['--address', '10.9.9.9'],
      1,
      /^win-hcn: address 10\.9\.9\.9 is outside network "l2bridge"\nsubnets of the network: /,
    ],
    [['--netns', 'pod'], 2, /^win-hcn: --netns pod is not the GUID of a namespace\n$/],
    [
      ['--netns', '7c806792-3d8f-4c7b-9e51-0d4f6a3b2c1d'],
      1,
      /^win-hcn: HCN has no namespace 7c806792-3d8f-4c7b-9e51-0d4f6a3b2c1d: the sandbox is gone\n/,
    ],
  ])('%j: %i', async (words, exitCode, stderr) => {
    expect(await plan(config(), ...words)).toMatchObject({
      exitCode,
      stderr: expect.stringMatching(stderr),
    });
  });
});

/** The ids and documents of the calls of a function. */
const sent = (function_: string) =>
  node.hns.calls.filter((call) => call.function === function_).map(({ id, document }) => ({ id, document }));

/** Restarts the node with adapters for every example and an HNS that supports every feature. */
async function restartForExamples(): Promise<void> {
  const adapters = [
    { name: 'Ethernet', managementIp: '10.0.0.4' },
    { name: 'Ethernet 2', managementIp: '172.16.0.4', mac: '00-15-5D-00-00-01' },
  ];
  await node.stop();
  node = await startNode({ adapters, profile: 'ws2025' });
}

/** The documents that a plan would send. */
async function documentsOf(given: object, ...words: readonly string[]) {
  const { steps } = JSON.parse((await plan(given, '-o', 'json', ...words)).stdout).plan;
  const created = (kind: string) =>
    steps
      .filter(({ step }: { step: string }) => step === `create ${kind}`)
      .map(({ id, document }: { id: string; document: object }) => ({ id, document }));
  return {
    network: created('network'),
    endpoints: [...created('host endpoint'), ...created('endpoint')],
  };
}

const examples = readdirSync('conflist-examples').map((file) => file.replace('.conflist', ''));

describe.each(examples)('the plan of the example %s', (name) => {
  test('is what ADD sends to HCN', async () => {
    await restartForExamples();
    const { ipam: _, ...given } = example(name);
    const onNew = await documentsOf(given, '--container', 'pod2');
    expect(await node.add(given, node.newPod('pod2'))).toMatchObject({ exitCode: 0 });
    expect(onNew.network).toEqual(sent('HcnCreateNetwork'));
    node.hns.clearCalls();
    const onExisting = await documentsOf(given, '--container', 'pod3');
    expect(sent('HcnCreateEndpoint')).toEqual([]);
    expect(await node.add(given, node.newPod('pod3'))).toMatchObject({ exitCode: 0 });
    expect({ network: [], endpoints: sent('HcnCreateEndpoint') }).toEqual(onExisting);
  });
});
