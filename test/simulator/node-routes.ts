// The route table of the node.

import { formatAddress, parseAddress, parsePrefix } from './addresses.ts';
import { type HostInterface, hostInterfaces } from './host-interfaces.ts';
import { HnsError } from './hresults.ts';
import type { NodeRoute, State } from './state.ts';

const local = 2;
const static_ = 3;

/** All routes: those of addresses and gateways first, then those that programs created. */
export function nodeRoutes(state: State): NodeRoute[] {
  return [...hostInterfaces(state).flatMap(routesOf), ...state.nodeRoutes];
}

/** Each address is on-link with its subnet; each gateway is the next hop of a default route. */
function routesOf({ index: interfaceIndex, addresses, gateways }: HostInterface): NodeRoute[] {
  const onLink = addresses.flatMap((text) => {
    const prefix = parsePrefix(text);
    if (!prefix) return [];
    const [address = ''] = text.split('/');
    const first = formatAddress({ family: prefix.family, value: prefix.first });
    const nextHop = prefix.family === 4 ? '0.0.0.0' : '::';
    return [`${first}/${prefix.length}`, `${address}/${prefix.family === 4 ? 32 : 128}`].map((text) => ({
      interfaceIndex,
      prefix: text,
      nextHop,
      metric: 256,
      protocol: local,
    }));
  });
  const defaults = gateways.map((nextHop) => ({
    interfaceIndex,
    prefix: nextHop.includes(':') ? '::/0' : '0.0.0.0/0',
    nextHop,
    metric: 0,
    protocol: static_,
  }));
  return [...onLink, ...defaults];
}

/**
 * CreateIpForwardEntry2 refuses a second route to a prefix on an interface, according to Microsoft's page [D]. Whether another next hop makes
 * it another route is uncertain: clients have to delete the old route first.
 */
export function createNodeRoute(state: State, route: NodeRoute): void {
  requireIp(state, route);
  const isTaken = nodeRoutes(state).some(
    (other) => other.interfaceIndex === route.interfaceIndex && other.prefix === route.prefix,
  );
  if (isTaken) throw new HnsError('ERROR_OBJECT_ALREADY_EXISTS');
  state.nodeRoutes.add(route);
}

export function deleteNodeRoute(state: State, route: NodeRoute): void {
  requireIp(state, route);
  const { interfaceIndex, prefix, nextHop } = route;
  const isSame = (other: NodeRoute) =>
    other.interfaceIndex === interfaceIndex && other.prefix === prefix && other.nextHop === nextHop;
  const created = [...state.nodeRoutes].find(isSame);
  if (created) {
    state.nodeRoutes.delete(created);
    return;
  }
  const isDefault = nodeRoutes(state).some((other) => isSame(other) && other.prefix.endsWith('/0'));
  const kept = [...state.interfaces.values()].find(({ index }) => index === interfaceIndex);
  if (!isDefault || !kept) throw new HnsError('ERROR_NOT_FOUND');
  kept.removedGateways.add(nextHop);
}

function requireIp(state: State, { interfaceIndex }: NodeRoute): void {
  const found = hostInterfaces(state).find(({ index }) => index === interfaceIndex);
  if (!found || found.addresses.length === 0) throw new HnsError('ERROR_NOT_FOUND');
}

/** Reads the stub's line of a route. */
export function parseRoute(line: string): NodeRoute {
  const [index, length, address = '', nextHop = '', metric, protocol] = line.split('\t');
  return {
    interfaceIndex: Number(index),
    prefix: `${textOf(address)}/${length}`,
    nextHop: textOf(nextHop),
    metric: Number(metric),
    protocol: Number(protocol),
  };
}

/** The stub's lines of the route table. */
export function routeLines(state: State): string {
  return nodeRoutes(state)
    .map(({ interfaceIndex, prefix, nextHop, metric, protocol }) => {
      const [address = '', length = ''] = prefix.split('/');
      const fields = [interfaceIndex, length, octetsOf(address), octetsOf(nextHop), metric, protocol];
      return `${fields.join('\t')}\n`;
    })
    .join('');
}

function textOf(octets: string): string {
  return formatAddress({ family: octets.length === 8 ? 4 : 6, value: BigInt(`0x${octets}`) });
}

/** An address in hexadecimal. */
export function octetsOf(text: string): string {
  const address = parseAddress(text);
  return (address?.value ?? 0n).toString(16).padStart(address?.family === 6 ? 32 : 8, '0');
}
