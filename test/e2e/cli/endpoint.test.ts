import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Node, startNode } from '../node.ts';
import {
  container,
  type InventoryNode,
  legacy,
  loadBalancer,
  other,
  startInventoryNode,
  web,
} from './inventory-node.ts';
import { config } from './l2bridge.ts';
import { failure, type Printed, problem, runCli, success } from './run-cli.ts';

/** The id of pod1's endpoint on the network. */
const id = '7a4ff8e8-36a2-58f8-8dd7-59b3c47de727';
const created =
  'endpoint "pod1_l2bridge_eth0" was created on network "l2bridge", in no namespace: 10.244.1.7, MAC 00-15-5D-52-C0-00\n';
const ipam = { ipam: { type: 'host-local', subnet: '10.244.1.0/24' } };

/** Runs a command with the configuration in net.conf. */
const run = (node: Node, given: object, ...words: readonly string[]): Promise<Printed> =>
  runCli(words, { files: { 'net.conf': JSON.stringify(given) }, system: node.outside });

describe('endpoint create', () => {
  let node: Node;
  beforeEach(async () => {
    node = await startNode();
  });
  afterEach(() => node.stop());

  const ensureNetwork = () => run(node, config(), 'network', 'ensure', 'net.conf', '--yes');
  const create = (given: object, ...words: readonly string[]) =>
    run(node, given, 'debug', 'endpoint', 'create', '--conf', 'net.conf', '--container', 'pod1', ...words);
  const sent = () => node.hns.calls.filter((call) => call.function === 'HcnCreateEndpoint');

  test('creates the same endpoint as ADD, in no namespace, and prints only its id', async () => {
    await ensureNetwork();
    expect(await create(config(), '--address', '10.244.1.7')).toEqual({
      ...success(id),
      stderr: created,
    });
    expect(node.hns.dump().endpoints).toMatchObject([
      {
        ID: id,
        HostComputeNamespace: '00000000-0000-0000-0000-000000000000',
        IpConfigurations: [{ IpAddress: '10.244.1.7', PrefixLength: 24 }],
      },
    ]);
    const [byHandOnly] = sent();
    const given = config({ runtimeConfig: { ips: ['10.244.1.7'] }, capabilities: { ips: true } });
    await node.add(given, node.newPod('pod1'));
    expect(sent().at(-1)?.document).toEqual(byHandOnly?.document);
  });

  test('uses an address from HNS, and adds the policies that need it', async () => {
    await ensureNetwork();
    expect(await create(config({ loopbackDSR: true }))).toMatchObject({ exitCode: 0, stdout: `${id}\n` });
    const [endpoint] = node.hns.dump().endpoints;
    expect(JSON.stringify(endpoint?.['Policies'])).toContain('10.244.1.2');
  });

  test('requires --address with an IPAM plugin, and does not run the plugin', async () => {
    await ensureNetwork();
    expect(await create(config(ipam))).toEqual(
      failure(
        2,
        'win-hcn: --address is required: this command does not run the IPAM plugin host-local, which would assign the address',
      ),
    );
    expect(await create(config(ipam), '--address', '10.244.1.7')).toEqual({
      ...success(id),
      stderr: `${created}win-hcn: host-local has no record of 10.244.1.7 and may assign it to a pod\n`,
    });
    expect(node.ipam.runs).toEqual([]);
  });

  test('creates no network', async () => {
    expect(await create(config())).toEqual(
      failure(
        1,
        'win-hcn: HCN has no network "l2bridge"',
        'win-hcn network ensure creates it from the same file',
      ),
    );
    expect(node.hns.dump().networks).toEqual([]);
  });

  test('deletes no endpoint that has the address, not even a leftover', async () => {
    await ensureNetwork();
    const HostComputeNetwork = String(node.hns.dump().networks[0]?.['ID']);
    const document = {
      Name: 'gone_l2bridge_eth0',
      HostComputeNetwork,
      SchemaVersion: { Major: 2, Minor: 0 },
    };
    const IpConfigurations = [{ IpAddress: '10.244.1.7', PrefixLength: 24 }];
    await node.hcn.createEndpoint(HostComputeNetwork, legacy, { ...document, IpConfigurations });
    const before = node.hns.dump().endpoints;
    expect(await create(config(), '--address', '10.244.1.7')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('HCN_E_ADDR_INVALID_OR_RESERVED'),
    });
    expect(node.hns.dump().endpoints).toEqual(before);
  });

  test('keeps an existing endpoint of the attachment', async () => {
    await ensureNetwork();
    await create(config());
    const before = node.hns.dump().endpoints;
    expect(await create(config())).toEqual(
      failure(
        1,
        `win-hcn: container pod1 already has an unattached endpoint for "eth0" on network "l2bridge": ${id}`,
        'win-hcn debug endpoint attach attaches it, win-hcn debug endpoint delete deletes it',
      ),
    );
    const { netns } = node.newPod();
    await node.hcn.addEndpoint(netns, id);
    expect(await create(config())).toEqual(
      failure(
        1,
        `win-hcn: the container already has this interface: endpoint "pod1_l2bridge_eth0" is in namespace ${netns}`,
        'run DEL first',
      ),
    );
    expect(node.hns.dump().endpoints).toMatchObject([{ ID: before[0]?.['ID'] }]);
  });

  test.each([
    [
      ['--ifname', 'a:b'],
      'win-hcn: CNI_IFNAME is "a:b", expected at most 15 bytes, not "." or "..", without "/", ":" or white space',
    ],
    [
      ['--address', '10.244.1.7/33'],
      "win-hcn: option '--address <address>' argument '10.244.1.7/33' is invalid. expected an address, such as 10.244.1.7 or 10.244.1.7/24\nRun 'win-hcn debug endpoint create --help' for usage.",
    ],
  ])('refuses %j with 2', async (words, text) => {
    expect(await create(config(), ...words)).toEqual(failure(2, text));
  });

  test('leaves nothing after a failed call', async () => {
    for (let k = 1; ; k += 1) {
      await node.stop();
      node = await startNode();
      await ensureNetwork();
      const before = node.hns.dump();
      node.hns.inject({ ordinal: k, effect: { hresult: 0x80004005 } });
      const { exitCode } = await create(config({ loopbackDSR: true }));
      node.hns.clearFaults();
      if (k <= 2) expect(exitCode, 'the network is looked up by its name').toBe(0);
      else if (exitCode === 0) {
        expect(node.hns.calls).toHaveLength(before.calls + k - 1);
        return;
      } else expect(node.hns.dump(), `call ${k}`).toMatchObject({ networks: before.networks, endpoints: [] });
    }
  });
});

describe('an existing endpoint', () => {
  let node: InventoryNode;
  beforeEach(async () => {
    node = await startInventoryNode();
  });
  afterEach(() => node.stop());

  const endpoint = (...words: readonly string[]) => run(node, config(), 'debug', 'endpoint', ...words);
  const namespaceOf = (wanted: string) =>
    node.hns.dump().endpoints.find(({ ID }) => ID === wanted)?.['HostComputeNamespace'];
  const nothing = 'No changes made. Rerun with --yes to apply.';

  test('is attached to a namespace, both given by prefixes of their ids', async () => {
    const { netns } = node.pod;
    const words = ['attach', other.slice(0, 8), netns.slice(0, 8)];
    const called = `endpoint "by-hand" ${other}`;
    expect(await endpoint(...words)).toEqual(success(`${called} was attached to namespace ${netns}`));
    expect(namespaceOf(other)).toBe(netns);
    expect(await endpoint(...words)).toEqual(success(`${called} is already in namespace ${netns}`));
  });

  test('is not attached if it is in another namespace, or with an unknown key', async () => {
    const { netns } = node.newPod();
    expect(await endpoint('attach', web, netns)).toEqual(
      failure(
        1,
        `win-hcn: endpoint "${container}_l2bridge_eth0" (${web}) is in namespace ${node.pod.netns}, not in ${netns}`,
        'win-hcn debug endpoint detach removes it from there',
      ),
    );
    expect(await endpoint('attach', 'x', 'y')).toEqual(
      failure(
        1,
        'win-hcn: HCN has no endpoint "x". Run win-hcn ls endpoints to list endpoints.',
        'win-hcn: HCN has no namespace "y". Run win-hcn ls namespaces to list namespaces.',
      ),
    );
  });

  const detachment = () => [
    `1. detach endpoint "${container}_l2bridge_eth0" (${web}) from namespace ${node.pod.netns}`,
    `Container ${container} loses interface eth0 (10.244.1.2/24).`,
    'Windows Server 2019 attaches an endpoint only once: there it cannot be attached again.',
  ];

  test('is not detached without --yes, which shows the effects', async () => {
    expect(await endpoint('detach', '5efcf8b5')).toEqual(
      problem(
        ...detachment(),
        `Container ${container} is running: HNS refuses this until it stops.`,
        nothing,
      ),
    );
    expect(namespaceOf(web)).toBe(node.pod.netns);
  });

  test('is detached once with --yes', async () => {
    const { netns } = node.pod;
    node.hns.detachContainer(netns, container);
    const called = `endpoint "${container}_l2bridge_eth0" ${web}`;
    expect(await endpoint('detach', '5efcf8b5', netns, '--yes')).toEqual(
      success(...detachment(), `${called} was detached from namespace ${netns}`),
    );
    expect(await endpoint('detach', '5efcf8b5', '--yes')).toEqual(
      success(`${called} is in no namespace already`),
    );
  });

  test('is not detached from another namespace', async () => {
    const { netns } = node.newPod();
    expect(await endpoint('detach', '5efcf8b5', netns, '--yes')).toEqual(
      failure(
        1,
        `win-hcn: endpoint "${container}_l2bridge_eth0" ${web} is in namespace ${node.pod.netns}, not in ${netns}`,
      ),
    );
  });

  const deletion = [
    `1. delete endpoint "${container}_l2bridge_eth0" (${web})`,
    `Container ${container} loses interface eth0 (10.244.1.2/24).`,
    `Load balancer ${loadBalancer} loses a backend.`,
    'The IPAM plugin does not run: use win-hcn debug cni del to release the addresses too.',
  ];

  test('is not deleted without --yes, which shows the effects', async () => {
    const before = node.hns.dump().endpoints;
    expect(await endpoint('delete', '5efcf8b5')).toEqual(problem(...deletion, nothing));
    expect(node.hns.dump().endpoints).toEqual(before);
  });

  test('of another program is deleted with a warning about its owner', async () => {
    expect(await endpoint('delete', 'by-hand', '--yes')).toEqual(
      success(
        `1. delete endpoint "by-hand" (${other})`,
        'Not created by win-hcn: its owner, such as kube-proxy, may not recreate it.',
        `endpoint "by-hand" ${other} was deleted`,
      ),
    );
  });

  test('of the host is deleted with a warning about the gateway of pods', async () => {
    await node.hcn.addEndpoint(node.hostNamespace, other);
    expect(await endpoint('delete', 'by-hand')).toEqual(
      problem(
        `1. delete endpoint "by-hand" (${other})`,
        'The node loses its host endpoint (10.244.1.40/24), which may be the gateway of pods.',
        nothing,
      ),
    );
  });
});
