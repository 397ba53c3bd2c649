import { afterEach, describe, expect, test } from 'vitest';
import { variants } from '../simulator/variants/variants.ts';
import { example } from './example.ts';
import { type Node, startNode } from './node.ts';

const config = example('l2bridge-host-endpoint', { ipam: { type: 'test-ipam' } });

let node: Node;
afterEach(() => node.stop());

const forwarding = () =>
  node.hns
    .hostInterfaces()
    .filter((one) => one.forwarding)
    .map(({ addresses, gateways }) => [...addresses, ...gateways]);

describe.each(variants.hostEndpointAlias.positions)(
  "the host endpoint's interface with the alias of hostEndpointAlias: %s",
  (position) => {
    test('is the one that ADDs enable forwarding on', async () => {
      node = await startNode({ switches: { hostEndpointAlias: position as 'derived' | 'other' } });
      node.ipam.prefix = '10.244.2.';
      const codes = [await node.add(config), await node.add(config)].map(({ exitCode }) => exitCode);
      expect({ codes, forwarding: forwarding() }).toEqual({
        codes: [0, 0],
        forwarding: [['10.0.0.4/24', '10.0.0.1'], ['10.244.2.2/24']],
      });
    });
  },
);

test.each([
  ['accepted', [{ NextHop: '0.0.0.0', DestinationPrefix: '0.0.0.0/0' }]],
  ['refused', [{ NextHop: '10.244.2.1', DestinationPrefix: '0.0.0.0/0' }]],
] as const)(
  'the host endpoint has no default route on an HNS with unspecifiedNextHop: %s',
  async (unspecifiedNextHop, Routes) => {
    node = await startNode({ switches: { unspecifiedNextHop } });
    node.ipam.prefix = '10.244.2.';
    const { exitCode } = await node.add(config);
    const endpoint = node.hns.dump().endpoints.find(({ Name }) => Name === 'cbr0_ep');
    expect({ exitCode, Routes: endpoint?.['Routes'], forwarding: forwarding() }).toEqual({
      exitCode: 0,
      Routes,
      forwarding: [['10.0.0.4/24', '10.0.0.1'], ['10.244.2.2/24']],
    });
  },
);
