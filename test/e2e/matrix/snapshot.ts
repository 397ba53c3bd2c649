import { describeNodeRoute, isOurRoute } from '../../../src/net/node-route.ts';
import type { JsonObject } from '../../simulator/schema/validate.ts';
import type { Node } from '../node.ts';
import { idsOf, type Named } from './found.ts';

/** All objects on a node as text, by kind and name. */
export type Snapshot = ReadonlyMap<string, string>;

/** `mayStay` are objects that may exist or not. */
export function snapshot(node: Node, mayStay: readonly Named[] = []): Snapshot {
  const dump = node.hns.dump();
  const except = idsOf(dump, mayStay);
  const { networks, endpoints, namespaces, loadBalancers } = dump;
  const mayKeepRoutes = networks.some(({ ID }) => except.includes(String(ID)));
  const entries = Object.entries({ networks, endpoints, namespaces, loadBalancers }).flatMap(
    ([kind, documents]) =>
      documents
        .filter(({ ID }) => !except.includes(String(ID)))
        .map((document) => [keyOf(kind, document), withoutResources(document, except)] as const),
  );
  const leases = [...node.ipam.leases].map(([holder, address]) => [`lease of ${holder}`, address] as const);
  return new Map([...entries, ...leases, ...interfaces(node), ...(mayKeepRoutes ? [] : staticRoutes(node))]);
}

/** The routes to other nodes' subnets. A network that may stay has them. */
function staticRoutes({ hns }: Node): readonly (readonly [string, string])[] {
  return hns
    .nodeRoutes()
    .filter(isOurRoute)
    .map((route) => [describeNodeRoute(route), 'there']);
}

/** The key starts with the name, which identifies an object of win-hcn. */
function keyOf(kind: string, { Name, ID }: Readonly<Record<string, unknown>>): string {
  return Name === undefined ? `${kind} ${ID}` : `${kind} ${Name}, ${ID}`;
}

/**
 * The node's addresses and gateways by MAC address: a network moves them to an interface of another name. Forwarding is listed by
 * interface, and host endpoints are listed as endpoints.
 */
function interfaces({ hns }: Node): readonly (readonly [string, string])[] {
  const all = hns.hostInterfaces();
  const isVirtual = (alias: string): boolean => alias.startsWith('vEthernet (');
  const macs = all.filter(({ alias }) => !isVirtual(alias)).map(({ mac }) => mac);
  return all.flatMap(({ alias, mac, addresses, gateways, forwarding }) => {
    const ofNode = macs.includes(mac) ? [...addresses, ...gateways] : [];
    return [
      ...ofNode.map((address) => [`address or gateway ${address} of ${mac}`, 'there'] as const),
      ...(forwarding ? [[`${forwardingOf} ${alias}`, 'on'] as const] : []),
    ];
  });
}

/** Forwarding may stay enabled (docs/decisions/attachments.md). */
const forwardingOf = 'forwarding of';

/** Of the objects, namespaces list others as resources. */
function withoutResources({ Resources, ...others }: JsonObject, except: readonly string[]): string {
  const resources = (Resources ?? []) as readonly { readonly Data: { readonly Id: string } }[];
  const kept = resources.filter(({ Data }) => !except.includes(Data.Id));
  return JSON.stringify(kept.length === 0 ? others : { ...others, Resources: kept });
}

/** Returns the differences, one line each. */
export function differences(before: Snapshot, after: Snapshot): readonly string[] {
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].flatMap((key) => {
    const [was, is] = [before.get(key), after.get(key)];
    if (was === is) return [];
    if (was === undefined) return key.startsWith(forwardingOf) ? [] : [`${key} was left: ${is}`];
    return [is === undefined ? `${key} is gone: ${was}` : `${key} changed: ${was} -> ${is}`];
  });
}
