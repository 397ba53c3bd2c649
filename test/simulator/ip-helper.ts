// The functions of iphlpapi.dll. stub/iphlpapi.h describes the lines of text that the stub turns into structures.

import { type HostInterface, hostInterfaces, interfaceState, listedInterfaces } from './host-interfaces.ts';
import { HnsError } from './hresults.ts';
import { createNodeRoute, deleteNodeRoute, octetsOf, parseRoute, routeLines } from './node-routes.ts';
import type { State } from './state.ts';
import type { CallFrame } from './wire.ts';

const includeGateways = 0x80;
const includeAllInterfaces = 0x100;

/** Returns the stub's answer to a call of the IP Helper. */
export function ipHelperCall(state: State, { function: name, strings }: CallFrame): string | undefined {
  const line = strings[0] ?? '';
  switch (name) {
    case 'GetAdaptersAddresses':
      return adapterLines(listedInterfaces(state), Number(line));
    case 'GetIpForwardTable2':
      return routeLines(state);
    case 'CreateIpForwardEntry2':
      createNodeRoute(state, parseRoute(line));
      return undefined;
    case 'DeleteIpForwardEntry2':
      deleteNodeRoute(state, parseRoute(line));
      return undefined;
    default:
      return forwardingCall(state, name, strings.map(Number));
  }
}

function forwardingCall(state: State, name: string, [index = 0, value = 0]: number[]): string | undefined {
  const found = withIp(hostInterfaces(state), index) && interfaceState(state, index);
  if (!found) throw new HnsError('ERROR_NOT_FOUND');
  if (name === 'GetIpInterfaceEntry') return found.forwarding ? '1' : '0';
  found.forwarding = value === 1;
  return undefined;
}

function withIp(interfaces: readonly HostInterface[], index: number): boolean {
  return interfaces.some((one) => one.index === index && one.addresses.length > 0);
}

function adapterLines(interfaces: readonly HostInterface[], flags: number): string {
  const every = (flags & includeAllInterfaces) !== 0;
  return interfaces
    .filter(({ addresses }) => every || addresses.length > 0)
    .flatMap((one) => [
      adapterLine(one),
      ...addressLines(one, flags),
      ...(every ? [adapterLine({ ...one, ...filterDriverOf(one) })] : []),
    ])
    .map(line)
    .join('');
}

/** Windows lists the filter drivers of each interface as well. */
function filterDriverOf({ alias, index }: HostInterface): Pick<HostInterface, 'alias' | 'index'> {
  return { alias: `${alias}-WFP Native MAC Layer LightWeight Filter-0000`, index: index + 1000 };
}

type Fields = readonly (string | number)[];

function line(fields: Fields): string {
  return `${fields.join('\t')}\n`;
}

function adapterLine({
  index,
  mtu,
  mediaType,
  isUp,
  metric,
  mac,
  alias,
  description,
}: HostInterface): Fields {
  const octets = mac.replaceAll('-', '').toLowerCase();
  return ['A', index, mtu, mediaType, isUp ? 1 : 2, metric, octets, alias, description];
}

function addressLines({ addresses, gateways }: HostInterface, flags: number): Fields[] {
  const shown = (flags & includeGateways) === 0 ? [] : gateways;
  return [
    ...addresses.map((text) => {
      const [address = '', length = ''] = text.split('/');
      return ['U', length, octetsOf(address)];
    }),
    ...shown.map((gateway) => ['G', octetsOf(gateway)]),
  ];
}
