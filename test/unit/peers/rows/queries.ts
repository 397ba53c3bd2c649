import type { HcnReader } from '../../../../src/hcn/client.ts';
import { l2bridge, SchemaVersion } from '../inputs.ts';
import type { Row, Sent } from '../row.ts';
import { sentBy, sentFor } from '../win-hcn.ts';

const network = 'aaaaaaaa-0000-4000-8000-000000000000';

async function queryOf(ask: (hcn: HcnReader) => Promise<unknown>): Promise<Sent | undefined> {
  const kinds = ['Networks', 'Endpoints', 'LoadBalancers'];
  const calls = kinds.map((kind) => `HcnEnumerate${kind}`);
  return (await sentFor(({ hcn }) => ask(hcn), calls))[0];
}

const reasons = {
  '+ document.Flags':
    'win-hcn sends the default 0, which Go omits (microsoft/hcsshim hcn/hcn.go HostComputeQuery).',
};

export const queryRows: readonly Row[] = [
  {
    intent: 'a network by name',
    peer: 'hcsshim',
    source: 'microsoft/hcsshim hcn/hcnnetwork.go GetNetworkByName',
    theirs: { call: 'HcnEnumerateNetworks', document: { SchemaVersion, Filter: '{"Name":"cbr0"}' } },
    ours: () => queryOf((hcn) => hcn.findNetwork('cbr0')),
    reasons,
  },
  {
    intent: 'endpoints by name',
    peer: 'hcsshim',
    source: 'microsoft/hcsshim hcn/hcnendpoint.go GetEndpointByName',
    theirs: { call: 'HcnEnumerateEndpoints', document: { SchemaVersion, Filter: '{"Name":"c0ffee_cbr0"}' } },
    ours: () => queryOf((hcn) => hcn.findEndpointsByName('c0ffee_cbr0')),
    reasons,
  },
  {
    intent: 'the endpoints of a network',
    peer: 'hcsshim',
    source: 'microsoft/hcsshim hcn/hcnendpoint.go ListEndpointsOfNetwork',
    theirs: {
      call: 'HcnEnumerateEndpoints',
      document: { SchemaVersion, Filter: `{"VirtualNetwork":"${network}"}` },
    },
    ours: () => queryOf((hcn) => hcn.findEndpointsOfNetwork(network)),
    reasons,
  },
  {
    intent: "the node's own namespace",
    peer: 'Terway',
    source: 'AliyunContainerService/terway pkg/windows/apis/utils.go GetHCNHostDefaultNamespace',
    theirs: {
      call: 'HcnEnumerateNamespaces',
      document: { SchemaVersion, Flags: 1, Filter: '{"IsDefault":true}' },
    },
    ours: async () => (await sentBy('ADD', { ...l2bridge, hostEndpoint: {} }, ['HcnEnumerateNamespaces']))[0],
    reasons: {
      '~ document.Flags':
        'Terway requests details, which hcsshim discards (hcn/hcnnamespace.go HostComputeNamespace); an enumeration returns only ids.',
    },
  },
];
