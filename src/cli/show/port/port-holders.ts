import type { Guid } from '../../../hcn/guid.ts';
import type { Inventory } from '../../../model/inventory.ts';
import { isPolicyOf } from '../../../model/network-document.ts';
import { formatPort } from '../../../net/address.ts';
import { endpointRow } from '../../inventory/endpoint-row.ts';
import { describePort, loadBalancerLabel } from '../../inventory/object-rows.ts';
import { policyText, protocolText } from '../../inventory/policy-text.ts';
import { shortContainer, shortGuid } from '../../terminal/short-text.ts';
import { isPort } from '../../traffic/destination.ts';
import type { NodePorts, PortSocket } from './node-ports.ts';

const protocols = ['tcp', 'udp'] as const;
export type PortProtocol = (typeof protocols)[number];

/** A port of the node, for the given protocols. */
export interface WantedPort {
  readonly port: number;
  /** At least one. */
  readonly protocols: readonly PortProtocol[];
}

/** Reads `8080`, `8080/udp` or `tcp/8080`; undefined for any other text. Without a protocol, both are wanted. */
export function parseWantedPort(text: string): WantedPort | undefined {
  const parts = text.toLowerCase().split('/');
  const port = parts.find(isPort);
  const protocol = protocols.find((one) => parts.includes(one));
  if (port === undefined || parts.length !== (protocol === undefined ? 1 : 2)) return undefined;
  return { port: Number(port), protocols: protocol === undefined ? protocols : [protocol] };
}

/** An object, process or range that has a port of the node. */
export interface PortHolder {
  readonly kind: 'endpoint' | 'load balancer' | 'NetNat' | 'process' | 'excluded range';
  /** Of an object of HCN. */
  readonly id?: Guid;
  /** Such as `endpoint 5efcf8b5 of pod shop/web`. */
  readonly name: string;
  readonly protocol: string;
  /** `any` for all addresses of the node. */
  readonly address: string;
  /** How it uses the port. */
  readonly use: string;
}

/** The objects of HCN that have a port: port mappings of endpoints, and load balancers. */
export function holdersInHcn(wanted: WantedPort, inventory: Inventory): readonly PortHolder[] {
  return [...mappingHolders(wanted, inventory), ...loadBalancerHolders(wanted, inventory)];
}

function mappingHolders({ port, protocols }: WantedPort, inventory: Inventory): readonly PortHolder[] {
  return inventory.endpoints.flatMap((endpoint) =>
    (endpoint.Policies ?? []).flatMap((policy): readonly PortHolder[] => {
      const { Protocol, ExternalPort, VIP } = policy.Settings ?? {};
      const protocol = protocolText(Protocol);
      const isWanted = protocols.some((one) => one === protocol) && Number(ExternalPort) === port;
      if (!isPolicyOf('PortMapping', policy) || !isWanted) return [];
      const { pod, container, stale } = endpointRow(endpoint, inventory);
      const owner = pod !== undefined ? `pod ${pod}` : container && `container ${shortContainer(container)}`;
      return [
        {
          kind: 'endpoint',
          id: endpoint.ID,
          name: `endpoint ${shortGuid(endpoint.ID)}${owner === undefined ? '' : ` of ${owner}`}`,
          protocol,
          address: VIP ? String(VIP) : 'any',
          use: `${policyText(policy)}${stale === undefined ? '' : `; leftover: ${stale}`}`,
        },
      ];
    }),
  );
}

function loadBalancerHolders({ port, protocols }: WantedPort, inventory: Inventory): readonly PortHolder[] {
  return inventory.loadBalancers.flatMap(({ ID, FrontendVIPs = [], PortMappings }) =>
    PortMappings.flatMap((mapping) => {
      const protocol = protocolText(mapping.Protocol);
      if (mapping.ExternalPort !== port || !protocols.some((one) => one === protocol)) return [];
      return (FrontendVIPs.length === 0 ? ['any'] : FrontendVIPs).map(
        (address): PortHolder => ({
          kind: 'load balancer',
          id: ID,
          name: `load balancer ${loadBalancerLabel(ID, inventory)}`,
          protocol,
          address,
          use: describePort(mapping),
        }),
      );
    }),
  );
}

/** The uses of a port that Windows knows of. */
export function holdersOnNode({ protocols }: WantedPort, node: NodePorts): readonly PortHolder[] {
  const holders: readonly PortHolder[] = [
    ...node.mappings.map(
      ({ protocol, address, nat, internalAddress, internalPort }): PortHolder => ({
        kind: 'NetNat',
        name: `NetNat "${nat}"`,
        protocol,
        address: anyAddress(address),
        use: `static mapping to ${formatPort(internalAddress, internalPort)}`,
      }),
    ),
    ...socketHolders(node.sockets),
    ...node.excluded.map(
      ({ protocol, first, last }): PortHolder => ({
        kind: 'excluded range',
        name: `excluded port range ${first} to ${last}`,
        protocol,
        address: 'any',
        use: 'reserved by Windows, HNS or an administrator',
      }),
    ),
  ];
  return holders.filter(({ protocol }) => protocols.some((one) => one === protocol));
}

/** The states in which a socket reserves a port for itself; connections of a listener have its port, too. */
const reserving: readonly string[] = ['Listen', 'Bound', ''];

/** One holder for each process and address. Of a process that listens on the port, connections are left out. */
function socketHolders(sockets: readonly PortSocket[]): readonly PortHolder[] {
  const isOwner = ({ state }: PortSocket) => reserving.includes(state);
  const ofProcess = (one: PortSocket) => (other: PortSocket) =>
    other.process === one.process && other.protocol === one.protocol;
  const shown = sockets.filter((one) => isOwner(one) || !sockets.filter(ofProcess(one)).some(isOwner));
  const holders = shown.map(
    ({ protocol, address, state, process, program }): PortHolder => ({
      kind: 'process',
      name: program === '' ? `process ${process}` : `process ${program} (${process})`,
      protocol,
      address: anyAddress(address),
      use: socketUse(state),
    }),
  );
  const keyOf = ({ protocol, name, address, use }: PortHolder) => [protocol, name, address, use].join('\n');
  return [...new Map(holders.map((holder) => [keyOf(holder), holder])).values()];
}

function socketUse(state: string): string {
  if (state === 'Listen') return 'listens';
  return reserving.includes(state) ? 'bound' : `connection (${state})`;
}

function anyAddress(address: string): string {
  return ['0.0.0.0', '0.0.0.0/0', '::', '::/0', ''].includes(address) ? 'any' : address;
}
