// Probes for the variants of namespaces.

import { endpoint, namespace } from '../../simulator/computenetwork.ts';
import type { Hns } from '../../simulator/hns.ts';
import {
  createEndpoint,
  createNetwork,
  done,
  endpointId,
  enumerate,
  missingId,
  modify,
  nat,
  networkId,
  query,
  remove,
} from '../test-client.ts';
import type { Probe } from './probe.ts';

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
    name: 'resourceId',
    see: async (hns) => {
      await requests(hns, endpointId, 'Add');
      const [sandbox = ''] = await enumerate(namespace, { IsDefault: false });
      return (await query(namespace, sandbox)).document['Resources'];
    },
    expected: {
      Id: [{ Type: 'Endpoint', Data: { Id: endpointId.toUpperCase() } }],
      ID: [{ Type: 'Endpoint', Data: { ID: endpointId.toUpperCase() } }],
    },
  },
  {
    name: 'removeAbsentEndpoint',
    see: (hns) => requests(hns, endpointId, 'Remove'),
    expected: (code) => [code],
  },
  {
    name: 'reattachedEndpoint',
    see: (hns) => requests(hns, endpointId, 'Add', 'Remove', 'Add'),
    expected: { accepted: [done, done, done], refused: [done, done, '0x803B002E'] },
  },
  {
    name: 'attachTwice',
    see: (hns) => requests(hns, endpointId, 'Add', 'Add'),
    expected: { refused: [done, '0x803B002B'], accepted: [done, done] },
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
    expected: { accepted: [done, 0, 0], refused: ['0x803B0015', 1, 1], hangs: ['hangs', 1, 1] },
  },
  {
    name: 'attachMissingEndpoint',
    see: (hns) => requests(hns, missingId, 'Add'),
    expected: (code) => [code],
  },
  {
    name: 'namespaceIdBeforeAttach',
    see: async (hns) => (await query(namespace, hns.createNamespace())).document['NamespaceId'],
    expected: { zero: 0, omitted: undefined },
  },
];
