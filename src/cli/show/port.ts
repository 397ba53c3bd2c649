import type { Inventory } from '../../model/inventory.ts';
import { isPolicyOf } from '../../model/network-document.ts';
import { endpointRow } from '../inventory/endpoint-row.ts';
import { describePort } from '../inventory/object-rows.ts';
import { settingsText } from '../inventory/policy-text.ts';
import { readExcludedRanges } from '../terminal/node-queries.ts';
import { type Query, runQuery } from '../terminal/powershell.ts';
import { exitCode, type Session } from '../terminal/session.ts';
import { shortContainer, shortGuid } from '../terminal/short-text.ts';
import { rowsTable } from '../terminal/table.ts';
import { wrapSentences } from '../terminal/wrap.ts';

/** What uses a port of the node, except processes, and what could not be checked, with the reason. */
type PortSubject = Awaited<ReturnType<typeof findPort>>;

/** Finds what uses a port of the node: objects of HCN, and what Windows reports. Sets the exit code if not all could be checked. */
export async function findPort(port: number, inventory: Inventory, session: Session) {
  const node = await runQuery(session.terminal, nodePortsQuery(port));
  const notChecked = [
    ...(inventory.unreadable === undefined ? [] : ['objects that HCN does not return']),
    ...('error' in node ? [`NetNat and excluded port ranges (${node.error})`] : []),
  ];
  if (notChecked.length > 0) session.setExitCode(exitCode.problemFound);
  const holders = [
    ...mappings(port, inventory),
    ...loadBalancers(port, inventory),
    ...('value' in node ? node.value : []),
  ];
  return { kind: 'port', port, holders, notChecked };
}

/** The port mappings of endpoints, such as `endpoint 5efcf8b5 (shop/web)`. */
function mappings(port: number, inventory: Inventory) {
  return inventory.endpoints.flatMap((endpoint) =>
    (endpoint.Policies ?? [])
      .filter(
        (policy) => isPolicyOf('PortMapping', policy) && Number(policy.Settings?.['ExternalPort']) === port,
      )
      .map(({ Settings }) => {
        const {
          name,
          container = name,
          pod = shortContainer(container),
          leftover,
        } = endpointRow(endpoint, inventory);
        const why = leftover === undefined ? '' : `; leftover: ${leftover}`;
        return {
          holder: `endpoint ${shortGuid(endpoint.ID)} (${pod})`,
          use: `${settingsText(Settings)}${why}`,
        };
      }),
  );
}

function loadBalancers(port: number, inventory: Inventory) {
  return inventory.loadBalancers.flatMap(({ ID, FrontendVIPs = [], PortMappings }) =>
    PortMappings.filter(({ ExternalPort }) => ExternalPort === port).map((mapping) => ({
      holder: `load balancer ${shortGuid(ID)}`,
      use: `${describePort(mapping)} on ${FrontendVIPs.join(', ') || 'all addresses of the node'}`,
    })),
  );
}

/** Queries the NetNat mappings and excluded port ranges that have a port. */
export function nodePortsQuery(port: number): Query<ReturnType<typeof mappings>> {
  return {
    script: `
$mappings = @(Get-NetNatStaticMapping | Where-Object { $_.ExternalPort -eq ${port} } | ForEach-Object {
  "$($_.NatName): $($_.Protocol) $($_.ExternalIPAddress) to $($_.InternalIPAddress) port $($_.InternalPort)"
})
$netsh = Join-Path $env:SystemRoot 'System32\\netsh.exe'
$excluded = @(foreach ($protocol in 'tcp', 'udp') {
  @{
    protocol = $protocol
    lines = @(& $netsh interface ipv4 show excludedportrange "protocol=$protocol" | ForEach-Object { "$_" })
  }
})
ConvertTo-Json -Compress -Depth 6 @{ mappings = $mappings; excluded = $excluded }`,
    read: (output) => [
      ...output
        .read('mappings', 'a list of strings')
        .map((use) => ({ holder: 'NetNat static mapping', use })),
      ...output
        .readList('excluded', (one) =>
          readExcludedRanges(one.read('lines', 'a list of strings'))
            .filter(({ first, last }) => first <= port && port <= last)
            .map(({ first, last }) => ({
              holder: `excluded ${one.read('protocol', 'a string')} port range ${first} to ${last}`,
              use: 'reserved by Windows, HNS or an administrator',
            })),
        )
        .flat(),
    ],
  };
}

/** What uses a port as text. */
export function portText({ port, holders, notChecked }: PortSubject, session: Session): string {
  const sentences = [
    ...(holders.length === 0 ? [`No holder of host port ${port} was found.`] : []),
    ...(notChecked.length === 0 ? [] : [`Not checked: ${notChecked.join('; ')}.`]),
    `For processes, run Get-NetTCPConnection -LocalPort ${port} or Get-NetUDPEndpoint -LocalPort ${port}.`,
  ].map((text) => wrapSentences(text, session.width));
  const rows = holders.map((one) => ({ ...one }));
  const table = holders.length === 0 ? [] : [rowsTable(rows, session, { prose: ['holder', 'use'] })];
  return [...table, ...sentences].join('\n');
}
