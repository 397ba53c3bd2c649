import { networkId } from '../../src/model/identity.ts';
import type { HnsOptions } from '../simulator/hns.ts';
import { type SimulatedHost, startHost } from './host.ts';

export const schemaVersion = { Major: 2, Minor: 0 };
export const network = networkId('overlay');
export const pod = 'fd6bec0f-7b88-4b61-b5af-70897ab0960b';

/** A node with an Overlay network and one pod. */
export async function startOverlayHost(options: HnsOptions = {}): Promise<SimulatedHost> {
  const host = await startHost(options);
  await host.hcn.createNetwork(network, {
    Name: 'overlay',
    Type: 'Overlay',
    Ipams: [
      {
        Type: 'Static',
        Subnets: [
          {
            IpAddressPrefix: '192.168.0.0/16',
            Policies: [{ Type: 'VSID', Settings: { IsolationId: 4096 } }],
            Routes: [{ NextHop: '192.168.0.1', DestinationPrefix: '0.0.0.0/0' }],
          },
        ],
      },
    ],
    SchemaVersion: schemaVersion,
  });
  await host.hcn.createEndpoint(network, pod, {
    Name: 'pod',
    HostComputeNetwork: network,
    IpConfigurations: [{ IpAddress: '192.168.1.2' }],
    SchemaVersion: schemaVersion,
  });
  return host;
}
