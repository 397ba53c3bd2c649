// How the variants of namespaces are seen.

import { endpoint, namespace } from '../../simulator/computenetwork.ts';
import type { Hns } from '../../simulator/hns.ts';
import { createEndpoint, createNetwork, modify, nat, query, remove } from '../test-client.ts';
import { done, endpointId, missingId, networkId, type Probe } from './probe.ts';

async function requests(hns: Hns, EndpointId: string, ...types: string[]): Promise<string[]> {
  await createNetwork(nat, networkId);
  await createEndpoint(networkId, {}, endpointId);
  const sandbox = hns.createNamespace();
  const answers: string[] = [];
  for (const RequestType of types) {
    const request = { ResourceType: 'Endpoint', RequestType, Settings: { EndpointId } };
    answers.push((await modify(namespace, sandbox, request)).hresult);
  }
  return answers;
}

export const namespaceProbes: readonly Probe[] = [
  {
    name: 'removeAbsentEndpoint',
    see: (hns) => requests(hns, endpointId, 'Remove'),
    positions: [
      [0x803b0002, ['0x803B0002']],
      [0x803b0034, ['0x803B0034']],
    ],
  },
  {
    name: 'reattachedEndpoint',
    see: (hns) => requests(hns, endpointId, 'Add', 'Remove', 'Add'),
    positions: [
      ['accepted', [done, done, done]],
      ['refused', [done, done, '0x803B002E']],
    ],
  },
  {
    name: 'attachTwice',
    see: (hns) => requests(hns, endpointId, 'Add', 'Add'),
    positions: [
      ['refused', [done, '0x803B002B']],
      ['accepted', [done, done]],
    ],
  },
  {
    name: 'attachedEndpointDeletion',
    see: async (hns) => {
      await requests(hns, endpointId, 'Add');
      const deletion = remove(endpoint, endpointId);
      const answer = await Promise.race([deletion, hns.nextStanding().then(() => 'hangs')]);
      const left = hns.dump().endpoints.length;
      hns.release();
      await deletion;
      return [answer, left, hns.dump().endpoints.length];
    },
    positions: [
      ['accepted', [done, 0, 0]],
      ['refused', ['0x803B0015', 1, 1]],
      ['hangs', ['hangs', 1, 1]],
    ],
  },
  {
    name: 'attachMissingEndpoint',
    see: (hns) => requests(hns, missingId, 'Add'),
    positions: [
      [0x803b0002, ['0x803B0002']],
      [0x80070490, ['0x80070490']],
    ],
  },
  {
    name: 'namespaceIdBeforeAttach',
    see: async (hns) => (await query(namespace, hns.createNamespace())).document['NamespaceId'],
    positions: [
      ['zero', 0],
      ['omitted', undefined],
    ],
  },
];
