import { describe, expect, it, test } from 'vitest';
import { network } from '../simulator/computenetwork.ts';
import { createNetwork, l2bridge, nat, overlay, query, remove, startForTest } from './test-client.ts';

const done = '0x00000000';
const bound = '0x803B0006';

async function hresults(...documents: object[]): Promise<string[]> {
  const answers: string[] = [];
  for (const document of documents) answers.push((await createNetwork(document)).hresult);
  return answers;
}

const on = (NetworkAdapterName: string) => ({
  Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName } }],
});
const transparent = { Name: 'transparent', Type: 'Transparent' };

describe('without any adapter', () => {
  test.each([
    ['L2Bridge', l2bridge],
    ['L2Tunnel', { ...l2bridge, Type: 'L2Tunnel' }],
    ['Overlay', overlay],
    ['Transparent', transparent],
  ])('%s is refused with HCN_E_ADAPTER_NOT_FOUND [O SDN#269, moby#41094]', async (_, document) => {
    await startForTest({ adapters: [] });
    expect(await hresults(document)).toEqual([bound]);
  });
});

describe('an adapter', () => {
  it('is shared by several overlay networks [O flannel#1111, SDN start.ps1]', async () => {
    await startForTest();
    expect(await hresults(overlay, { ...overlay, Name: 'External' })).toEqual([done, done]);
  });
  it('is shared by several L2Bridge networks, which have one switch [O SDN start.ps1]', async () => {
    await startForTest();
    const switches = [];
    for (const Name of ['a', 'b']) {
      const { document } = await createNetwork({ ...l2bridge, Name });
      switches.push((document['Health'] as { Extra: { SwitchGuid: string } }).Extra.SwitchGuid);
    }
    expect(new Set(switches).size).toBe(1);
  });
  it('that has a switch of another type is not available [O SDN#269, moby#41094]', async () => {
    await startForTest();
    expect(await hresults(overlay, l2bridge)).toEqual([done, bound]);
    expect(await hresults({ ...transparent, ...on('Ethernet') })).toEqual([bound]);
  });
  it('is available again after its last network is deleted [O SDN#269]', async () => {
    await startForTest();
    const { id: first } = await createNetwork(overlay);
    const { id: second } = await createNetwork({ ...overlay, Name: 'External' });
    await remove(network, first);
    expect(await hresults(l2bridge)).toEqual([bound]);
    await remove(network, second);
    expect(await hresults(l2bridge)).toEqual([done]);
  });
});

describe('a second NAT network', () => {
  const second = { Type: 'NAT', Name: 'second' };
  test.each(['ws2022', 'ws2025'] as const)(
    'is isolated by a VLAN on %s [O docker-netrestore]',
    async (profile) => {
      await startForTest({ profile });
      const first = await createNetwork(nat);
      const other = await createNetwork(second);
      const policies = await Promise.all([first, other].map(({ id }) => query(network, id, null)));
      expect(policies.map(({ document }) => document['Policies'])).toEqual([
        [{ Type: 'VLAN', VLAN: 1 }],
        [{ Type: 'VLAN', VLAN: 2 }],
      ]);
      expect(policies[0]?.document['LayeredOn']).toBe(policies[1]?.document['LayeredOn']);
    },
  );
  it('is refused on ws2019, until the first is deleted [O docker-for-win#10279, code I]', async () => {
    await startForTest({ profile: 'ws2019' });
    const { id: first } = await createNetwork(nat);
    expect(await hresults(second)).toEqual(['0x80070057']);
    await remove(network, first);
    expect(await hresults(second)).toEqual([done]);
  });
});
