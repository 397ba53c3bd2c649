// The switches of namespaces.

import { namespace } from '../computenetwork.ts';
import type { Hns } from '../hns.ts';
import { createEndpoint, createNetwork, modify, nat, query } from '../test-client.ts';
import { done, endpointId, missingId, networkId, type SwitchRow } from './row.ts';

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

export const namespaceSwitches: readonly SwitchRow[] = [
  {
    name: 'removeAbsentEndpoint',
    evidence: 'S nvx',
    see: (hns) => requests(hns, endpointId, 'Remove'),
    positions: [
      [0x803b0002, ['0x803B0002']],
      [0x803b0034, ['0x803B0034']],
    ],
  },
  {
    name: 'reattachedEndpoint',
    evidence: 'O buildkit#5686',
    see: (hns) => requests(hns, endpointId, 'Add', 'Remove', 'Add'),
    positions: [
      ['accepted', [done, done, done]],
      ['refused', [done, done, '0x803B002E']],
    ],
  },
  {
    name: 'attachTwice',
    evidence: 'I',
    see: (hns) => requests(hns, endpointId, 'Add', 'Add'),
    positions: [
      ['refused', [done, '0x803B002B']],
      ['accepted', [done, done]],
    ],
  },
  {
    name: 'attachMissingEndpoint',
    evidence: 'I',
    see: (hns) => requests(hns, missingId, 'Add'),
    positions: [
      [0x803b0002, ['0x803B0002']],
      [0x80070490, ['0x80070490']],
    ],
  },
  {
    name: 'namespaceIdBeforeAttach',
    evidence: 'I',
    see: async (hns) => (await query(namespace, hns.createNamespace())).document['NamespaceId'],
    positions: [
      ['zero', 0],
      ['omitted', undefined],
    ],
  },
];
