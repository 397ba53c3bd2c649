import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HostComputeNetwork } from '../../src/hcn/documents.ts';
import { type Answer, type Node, type Pod, startNode } from './node.ts';
import { canonical, includesMembers, isOwnAddress } from './peer-documents.ts';

/** A request to an unmodified plugin under Wine, and the HCN documents that it sent. */
interface Vector {
  readonly name: string;
  readonly peer: string;
  readonly cniArgs: string;
  readonly networksBefore: readonly HostComputeNetwork[];
  readonly config: Readonly<Record<string, unknown>> & { readonly name: string };
  /** The documents of the plugin's ADD, by function. */
  readonly sent: { readonly HcnCreateEndpoint: Document; readonly HcnCreateNetwork?: Document };
}

// biome-ignore lint/suspicious/noExplicitAny: documents are JSON
type Document = any;

const folder = 'test/e2e/vectors';
const vectors = readdirSync(folder).map(
  (file): Vector => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')),
);

describe.each(vectors)('the configuration $name of $peer', (vector) => {
  const { config, networksBefore, cniArgs, sent } = vector;
  const peer = canonical(sent.HcnCreateEndpoint);
  let node: Node;
  let pod: Pod;
  let added: Answer;

  const run = (command: string) => node.cni(command, { config, pod, environment: { CNI_ARGS: cniArgs } });

  beforeEach(async () => {
    node = await startNode({ adapters: [{ name: 'Ethernet', managementIp: '192.168.1.5' }] });
    for (const document of networksBefore) {
      await node.hcn.createNetwork('aaaaaaaa-0000-4000-8000-000000000000', document);
    }
    const [address] = peer.addresses;
    if (address !== undefined) {
      const ips = [{ address: `${address}/24`, gateway: address.replace(/\d+$/, '1') }];
      node.ipam.override.set('ADD', { exitCode: 0, stdout: JSON.stringify({ cniVersion: '1.0.0', ips }) });
    }
    pod = node.newPod('c0ffeeabababababababababab');
    added = await run('ADD');
  });
  afterEach(() => node.stop());

  const endpoint = () => canonical(node.hns.dump().endpoints[0]);

  test('the endpoint has all policies of the replaced plugin, and the same DNS, name and MAC address', () => {
    expect(added).toMatchObject({ exitCode: 0 });
    const own = endpoint();
    for (const policy of peer.policiesOn(own.addresses)) {
      expect(own.policies.filter((one) => includesMembers(one, policy))).toHaveLength(1);
    }
    expect(own.name).toBe(peer.name);
    expect(own.dns).toEqual(peer.dns);
    if (peer.mac !== undefined) expect(own.mac).toBe(peer.mac);
  });

  test('the endpoint has the same addresses and gateways, except a gateway with its own address', () => {
    const own = endpoint();
    if (peer.addresses.length > 0) expect(own.addresses).toEqual(peer.addresses);
    for (const [destination, nextHop] of peer.routes) {
      if (isOwnAddress(nextHop, own)) expect(own.routes.get(destination)).not.toBe(nextHop);
      else expect(own.routes.get(destination)).toBe(nextHop);
    }
  });

  test('the network has the same subnets and gateways, and is the only one', () => {
    const document = sent.HcnCreateNetwork;
    const [network, ...others] = node.hns.dump().networks;
    expect(others).toEqual([]);
    if (document === undefined) return expect(added.calls).not.toContain('HcnCreateNetwork');
    expect({ Type: 'NAT', ...network }).toMatchObject({
      Name: document.Name,
      Type: document.Type,
      Ipams: document.Ipams,
    });
  });

  test('the result has the interface, its MAC address, and the address with its prefix length', () => {
    const { cniVersion } = config;
    const address = endpoint().addresses[0];
    const length = networksBefore.length > 0 || vector.peer !== 'nat' ? 24 : 16;
    if (cniVersion === '0.2.0') return expect(added.json.ip4.ip).toBe(`${address}/${length}`);
    expect(added.json).toMatchObject({
      interfaces: [
        { name: 'eth0', mac: expect.stringMatching(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/), sandbox: pod.netns },
      ],
      ips: [{ address: `${address}/${length}`, interface: 0 }],
    });
  });
});
