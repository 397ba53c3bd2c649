import Table from 'cli-table3';
import type {
  HostComputeEndpoint,
  HostComputeNamespace,
  HostComputeNetwork,
} from '../../src/hcn/documents.ts';
import { defaultGateway, settingsOf, subnetsOf } from '../../src/model/network-document.ts';
import type { Dump } from '../simulator/hns.ts';

/** Prints the networks, endpoints and namespaces of a host as three tables. */
export function printHost(dump: Dump): void {
  const networks = dump.networks as unknown as readonly (HostComputeNetwork & { ID: string })[];
  const endpoints = dump.endpoints as unknown as readonly (HostComputeEndpoint & { ID: string })[];
  const namespaces = dump.namespaces as unknown as readonly (HostComputeNamespace & { ID: string })[];
  const nameOf = (id: string) => endpoints.find((endpoint) => endpoint.ID === id)?.Name ?? id;

  printTable(
    'Networks',
    networks.flatMap((network) =>
      subnetsOf(network).map((subnet) => ({
        Name: network.Name,
        Type: network.Type,
        Subnet: subnet.IpAddressPrefix,
        Gateway: defaultGateway(subnet.Routes ?? []),
        VSID: settingsOf(subnet.Policies, 'VSID')?.['IsolationId'] ?? '',
        ID: network.ID,
      })),
    ),
  );
  printTable(
    'Endpoints',
    endpoints.map((endpoint) => ({
      Name: endpoint.Name,
      Address: endpoint.IpConfigurations?.map((ip) => `${ip.IpAddress}/${ip.PrefixLength}`).join(' '),
      MAC: endpoint.MacAddress,
      Policies: endpoint.Policies?.map((policy) => policy.Type).join(' '),
      Namespace: endpoint.HostComputeNamespace,
    })),
  );
  printTable(
    'Namespaces',
    namespaces.map((namespace) => ({
      ID: namespace.ID,
      Type: namespace.Type,
      Endpoints: namespace.Resources?.map((resource) => nameOf(resource.Data.Id ?? '')).join(' ') ?? '',
    })),
  );
}

function printTable(title: string, rows: readonly Readonly<Record<string, unknown>>[]): void {
  const [first] = rows;
  if (first === undefined) {
    console.log(`${title}: none`);
    return;
  }
  const table = new Table({ head: Object.keys(first), style: { head: [], border: [], compact: true } });
  for (const row of rows) table.push(Object.values(row).map((cell) => String(cell ?? '')));
  console.log(`${title}:\n${table}`);
}
