// The functions of iphlpapi.dll. stub/iphlpapi.h describes the lines of text that the stub turns into structures.

import { formatAddress, parseAddress } from './addresses.ts';
import { type HostInterface, hostInterfaces, interfaceState, listedInterfaces } from './host-interfaces.ts';
import { HnsError } from './hresults.ts';
import type { InterfaceState, State } from './state.ts';
import type { CallFrame } from './wire.ts';

const includeGateways = 0x80;
const includeAllInterfaces = 0x100;

/** Returns the stub's answer to a call of the IP Helper. */
export function ipHelperCall(state: State, { function: name, strings }: CallFrame): string | undefined {
  const interfaces = hostInterfaces(state);
  const [first = 0, second = 0] = strings.map(Number);
  if (name === 'GetAdaptersAddresses') return adapterLines(listedInterfaces(state), first);
  const found = withIp(interfaces, first) && interfaceState(state, first);
  if (!found) throw new HnsError('ERROR_NOT_FOUND');
  switch (name) {
    case 'GetIpInterfaceEntry':
      return found.forwarding ? '1' : '0';
    case 'SetIpInterfaceEntry':
      found.forwarding = second === 1;
      return undefined;
    default:
      removeDefaultRoute(interfaces, found, formatAddress({ family: 4, value: BigInt(second) }));
      return undefined;
  }
}

function withIp(interfaces: readonly HostInterface[], index: number): boolean {
  return interfaces.some((one) => one.index === index && one.addresses.length > 0);
}

function removeDefaultRoute(
  interfaces: readonly HostInterface[],
  found: InterfaceState,
  nextHop: string,
): void {
  const gateways = interfaces.find(({ index }) => index === found.index)?.gateways ?? [];
  if (!gateways.includes(nextHop)) throw new HnsError('ERROR_NOT_FOUND');
  found.removedGateways.add(nextHop);
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

function octetsOf(text: string): string {
  const address = parseAddress(text);
  return (address?.value ?? 0n).toString(16).padStart(address?.family === 6 ? 32 : 8, '0');
}
