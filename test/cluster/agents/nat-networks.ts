// The `nat` network of HNS, and the configurations that containerd's script and nerdctl write for it.
// Sources: containerd/containerd at 301026e, script/setup/install-cni-windows; containerd/nerdctl at 8da5040,
// pkg/netutil/cni_plugin_windows.go and netutil.go, and the file in containerd/nerdctl#5157; moby/moby at b985e23, daemon/daemon_windows.go.

import type { HcnClient } from '../../../src/hcn/client.ts';
import { schemaVersion } from '../../../src/hcn/documents.ts';

/** Creates `nat` as Docker or `New-HnsNetwork -Type NAT -Name nat` does. */
export async function createNatNetwork(hcn: HcnClient, subnet: string, gateway: string): Promise<void> {
  await hcn.createNetwork('b95d0c5e-57d4-412b-b571-18a81a16e005', {
    Name: 'nat',
    Type: 'NAT',
    Ipams: [
      {
        Type: 'Static',
        Subnets: [
          { IpAddressPrefix: subnet, Routes: [{ NextHop: gateway, DestinationPrefix: '0.0.0.0/0' }] },
        ],
      },
    ],
    SchemaVersion: schemaVersion,
  });
}

/** containerd's 0-containerd-nat.conf. The script subtracts the prefix length from 32, so that 20 becomes 12. */
export function containerdNatConf(gateway: string, prefixLength: number): object {
  const octets = gateway.split('.').map((one, index) => {
    const bits = Math.min(8, Math.max(0, prefixLength - index * 8));
    return Number(one) & (256 - 2 ** (8 - bits));
  });
  return {
    cniVersion: '0.2.0',
    name: 'nat',
    type: 'nat',
    master: 'Ethernet',
    ipam: { subnet: `${octets.join('.')}/${32 - prefixLength}`, routes: [{ GW: gateway }] },
    capabilities: { portMappings: true, dns: true },
  };
}

/** The file nerdctl-NAME.conflist of `nerdctl network create`. It declares no capabilities. */
export function nerdctlConflist(name: string, subnet: string, gateway: string, labels: object = {}): object {
  return {
    cniVersion: '1.0.0',
    name,
    nerdctlID: 'd919a100ce6b45524d415d52d088d5817587c6dd8c3691b03b8063c44d043523',
    nerdctlLabels: labels,
    plugins: [{ type: 'nat', master: 'Ethernet', ipam: { routes: [{ gateway }], subnet, type: '' } }],
  };
}
