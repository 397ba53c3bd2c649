import type { Inventory } from '../../model/inventory.ts';
import { isPolicyOf } from '../../model/network-document.ts';
import { endpointRow } from '../inventory/endpoint-row.ts';
import { describePort } from '../inventory/object-rows.ts';
import { policyText, protocolText } from '../inventory/policy-text.ts';
import { readExcludedRanges } from '../terminal/node-queries.ts';
import { type Fact, type Query, runQuery } from '../terminal/powershell.ts';
import type { Session } from '../terminal/session.ts';
import { shortContainer, shortGuid } from '../terminal/short-text.ts';
import { rowsTable } from '../terminal/table.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import { isPort } from '../traffic/destination.ts';

const protocols = ['tcp', 'udp'] as const;
type PortProtocol = (typeof protocols)[number];

/** A port of the node, for the given protocols. */
interface WantedPort {
  readonly port: number;
  /** At least one. */
  readonly protocols: readonly PortProtocol[];
}

/** An object, process or range that has a port of the node. */
interface PortHolder {
  readonly protocol: string;
  /** `any` for all addresses of the node. */
  readonly address: string;
  /** Such as `endpoint 5efcf8b5 of pod shop/web`. */
  readonly holder: string;
  /** How it uses the port. */
  readonly use: string;
}

/** What uses a port of the node. */
export interface PortSubject {
  readonly kind: 'port';
  readonly port: number;
  readonly held: Readonly<Partial<Record<PortProtocol, 'yes' | 'no' | 'unknown'>>>;
  readonly holders: readonly PortHolder[];
  /** What could not be checked, and why. */
  readonly unchecked: readonly string[];
}

/** The uses of a port that Windows knows of. */
interface NodePorts {
  readonly holders: readonly PortHolder[];
  /** Whether NetNat's mappings could be read: their cmdlets may be missing. */
  readonly hasMappings: boolean;
}

/** Reads `8080`, `8080/udp` or `tcp/8080`; undefined for any other text. Without a protocol, both are wanted. */
export function parseWantedPort(text: string): WantedPort | undefined {
  const parts = text.toLowerCase().split('/');
  const port = parts.find(isPort);
  const protocol = protocols.find((one) => parts.includes(one));
  if (port === undefined || parts.length !== (protocol === undefined ? 1 : 2)) return undefined;
  return { port: Number(port), protocols: protocol === undefined ? protocols : [protocol] };
}

/** Finds what uses a port of the node: objects of HCN, and what Windows reports. */
export async function findPort(
  wanted: WantedPort,
  inventory: Inventory,
  { terminal }: Session,
): Promise<PortSubject> {
  const node: Fact<NodePorts> = await runQuery(terminal, nodePortsQuery(wanted.port));
  const onNode = 'value' in node ? node.value.holders : [];
  const found = [...mappings(wanted, inventory), ...loadBalancers(wanted, inventory), ...onNode];
  const unique = new Map(found.map((one) => [Object.values(one).join('\n'), one]));
  const holders = [...unique.values()].filter(({ protocol }) =>
    wanted.protocols.some((one) => one === protocol),
  );
  const unchecked = [
    ...(inventory.unreadable === undefined ? [] : ['objects that HCN does not return']),
    ...('error' in node ? [`processes, NetNat and excluded port ranges (${node.error})`] : []),
    ...('value' in node && !node.value.hasMappings ? ['NetNat (Get-NetNatStaticMapping failed)'] : []),
  ];
  const free = unchecked.length === 0 ? 'no' : 'unknown';
  const held = wanted.protocols.map((protocol) => [
    protocol,
    holders.some((one) => one.protocol === protocol) ? 'yes' : free,
  ]);
  return { kind: 'port', port: wanted.port, held: Object.fromEntries(held), holders, unchecked };
}

function mappings({ port }: WantedPort, inventory: Inventory): readonly PortHolder[] {
  return inventory.endpoints.flatMap((endpoint) =>
    (endpoint.Policies ?? []).flatMap((policy) => {
      const { Protocol, ExternalPort, VIP } = policy.Settings ?? {};
      if (!isPolicyOf('PortMapping', policy) || Number(ExternalPort) !== port) return [];
      const { pod, container, stale } = endpointRow(endpoint, inventory);
      const owner =
        pod === undefined ? container && ` of container ${shortContainer(container)}` : ` of pod ${pod}`;
      return {
        protocol: protocolText(Protocol),
        address: VIP ? String(VIP) : 'any',
        holder: `endpoint ${shortGuid(endpoint.ID)}${owner ?? ''}`,
        use: `${policyText(policy)}${stale === undefined ? '' : `; leftover: ${stale}`}`,
      };
    }),
  );
}

function loadBalancers({ port }: WantedPort, inventory: Inventory): readonly PortHolder[] {
  return inventory.loadBalancers.flatMap(({ ID, FrontendVIPs = [], PortMappings }) =>
    PortMappings.filter(({ ExternalPort }) => ExternalPort === port).flatMap((mapping) =>
      (FrontendVIPs.length === 0 ? ['any'] : FrontendVIPs).map((address) => ({
        protocol: protocolText(mapping.Protocol),
        address,
        holder: `load balancer ${shortGuid(ID)}`,
        use: describePort(mapping),
      })),
    ),
  );
}

/**
 * Queries the processes, NetNat mappings and excluded port ranges that have a port. A connection in TimeWait belongs to no process.
 * https://learn.microsoft.com/powershell/module/nettcpip/get-nettcpconnection
 */
export function nodePortsQuery(port: number): Query<NodePorts> {
  return {
    script: `
$port = ${port}
function Holder($protocol, $address, $holder, $use) {
  @{ protocol = "$protocol".ToLower(); address = "$address"; holder = "$holder"; use = "$use" }
}
$programs = @{}
foreach ($process in Get-Process) { $programs["$($process.Id)"] = $process.ProcessName }
function Program($id) { "process $($programs["$id"]) ($id)".Replace('  ', ' ') }
$hasMappings = $true
$holders = @(
  try {
    foreach ($one in Get-NetNatStaticMapping | Where-Object { $_.ExternalPort -eq $port }) {
      Holder $one.Protocol $one.ExternalIPAddress "NetNat ""$($one.NatName)""" \`
        "static mapping to $($one.InternalIPAddress) port $($one.InternalPort)"
    }
  } catch {
    $hasMappings = $false
  }
  foreach ($one in Get-NetTCPConnection | Where-Object { $_.LocalPort -eq $port -and "$($_.State)" -ne 'TimeWait' }) {
    Holder tcp $one.LocalAddress (Program $one.OwningProcess) $one.State
  }
  foreach ($one in Get-NetUDPEndpoint | Where-Object { $_.LocalPort -eq $port }) {
    Holder udp $one.LocalAddress (Program $one.OwningProcess) Bound
  }
)
$netsh = Join-Path $env:SystemRoot 'System32\\netsh.exe'
$excluded = @(foreach ($protocol in 'tcp', 'udp') {
  @{
    protocol = $protocol
    lines = @(& $netsh interface ipv4 show excludedportrange "protocol=$protocol" | ForEach-Object { "$_" })
  }
})
ConvertTo-Json -Compress -Depth 6 @{ holders = $holders; hasMappings = $hasMappings; excluded = $excluded }`,
    read: (output) => {
      const holders = output.readList('holders', (one) => ({
        protocol: one.read('protocol', 'a string'),
        address: one.read('address', 'a string').replace(/^(0\.0\.0\.0|::)?(\/0)?$/, 'any'),
        holder: one.read('holder', 'a string'),
        use: one.read('use', 'a string'),
      }));
      const excluded = output.readList('excluded', (one) => {
        const protocol = one.read('protocol', 'a string');
        const ranges = readExcludedRanges(one.read('lines', 'a list of strings'));
        return ranges
          .filter(({ first, last }) => first <= port && port <= last)
          .map(({ first, last }) => ({
            protocol,
            address: 'any',
            holder: `excluded port range ${first} to ${last}`,
            use: 'reserved by Windows, HNS or an administrator',
          }));
      });
      return {
        holders: [...holders, ...excluded.flat()],
        hasMappings: output.read('hasMappings', 'true or false'),
      };
    },
  };
}

/** What uses a port as text: a sentence for each protocol, then a table. */
export function portText({ port, held, holders, unchecked }: PortSubject, session: Session): string {
  const names = (protocol: string) =>
    new Set(holders.filter((one) => one.protocol === protocol).map(({ holder }) => holder));
  const listed = new Intl.ListFormat('en-GB');
  const sentences = Object.entries(held).map(([protocol, answer]) => {
    const texts = {
      yes: `is used by ${listed.format(names(protocol))}.`,
      no: 'is free.',
      unknown: 'may be free: no holder was found, but not everything could be checked.',
    };
    const text = wrapSentences(`Host port ${port}/${protocol} ${texts[answer]}`, session.width);
    return session.style(answer === 'yes' ? 'yellow' : 'bold', text);
  });
  return [
    ...sentences,
    ...(unchecked.length === 0
      ? []
      : [wrapSentences(`Not checked: ${unchecked.join('; ')}.`, session.width)]),
    ...(holders.length === 0
      ? []
      : [
          '',
          rowsTable(
            holders.map((one) => ({ ...one })),
            session,
            { prose: ['holder', 'use'] },
          ),
        ]),
  ].join('\n');
}
