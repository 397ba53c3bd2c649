import { describe, expect, it } from 'vitest';
import { endpoint, loadBalancer, namespace, network } from '../simulator/computenetwork.ts';
import type { Hns } from '../simulator/hns.ts';
import {
  create,
  createEndpoint,
  createNetwork,
  modify,
  nat,
  overlay,
  query,
  startForTest,
} from './test-client.ts';

const id = '3c6fab4d-6191-4171-a627-dd46f8c2e392';
const pod = '8b1c4a52-0c39-4b8f-a1f7-3f4a2d9e6b01';
const balancer = '0be07c06-353c-4fbf-8ebc-5531f877e68a';
const done = '0x00000000';
let hns: Hns;

/** Creates a network, a host endpoint and its load balancer, and reboots. */
async function rebooted(afterReboot: 'lost' | 'late') {
  hns = await startForTest({ switches: { afterReboot } });
  await createNetwork({ ...overlay, Flags: 0 }, id);
  await createEndpoint(id, { Name: 'bridge_ep' }, pod);
  const Settings = { EndpointId: pod };
  await modify(namespace, hostNamespace(), { ResourceType: 'Endpoint', RequestType: 'Add', Settings });
  await create(loadBalancer, { HostComputeEndpoints: [pod], ID: balancer });
  hns.reboot();
}

function hostNamespace(): string {
  return String(hns.dump().namespaces[0]?.['ID']);
}

function count() {
  const { networks, endpoints, loadBalancers, namespaces } = hns.dump();
  return [networks, endpoints, loadBalancers, namespaces].map(({ length }) => length);
}

async function threeCalls(): Promise<void> {
  for (let left = 3; left > 0; left--) await network.open(id);
}

describe('after a reboot that loses all objects', () => {
  it("only the host's namespace and adapters remain [S hcsshim#922]", async () => {
    await rebooted('lost');
    await threeCalls();
    expect(count()).toEqual([0, 0, 0, 1]);
    expect(hns.dump().namespaces).toMatchObject([{ Type: 'HostDefault' }]);
    expect(hns.hostInterfaces()).toMatchObject([{ alias: 'Ethernet', addresses: ['10.0.0.4/24'] }]);
  });
});

describe('after a reboot that restores objects late', () => {
  it('three calls find no objects, and the fourth finds all [O k8s#139519]', async () => {
    await rebooted('late');
    const found = async () => (await query(endpoint, pod)).hresult;
    expect([await found(), await found(), await found()]).toEqual(Array(3).fill('0x803B0002'));
    expect(count()).toEqual([0, 0, 0, 1]);
    expect((await query(endpoint, pod)).document['HostComputeNamespace']).toBe(hostNamespace());
    expect(count()).toEqual([1, 1, 1, 1]);
  });
  it('a network created in the meantime replaces the old one and its objects [I]', async () => {
    await rebooted('late');
    expect((await createNetwork(overlay, id)).hresult).toBe(done);
    await threeCalls();
    expect(hns.dump()).toMatchObject({ networks: [{ Flags: 8 }], endpoints: [], loadBalancers: [] });
  });
  it('an unrelated network does not affect the others [I]', async () => {
    await rebooted('late');
    expect((await createNetwork(nat)).hresult).toBe(done);
    await threeCalls();
    expect(count()).toEqual([2, 1, 1, 1]);
  });
});
