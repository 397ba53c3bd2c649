import { dropInEndpointName, endpointName, hostEndpointName } from '../../../src/model/identity.ts';
import type { Call, Node } from '../node.ts';
import type { Scenario } from './scenario.ts';

/** An object as HNS shows it; HNS may have chosen its id. */
export type Found = Readonly<Record<string, unknown>>;

/** An object by its kind and name, which are the beginning of its key in a snapshot. */
export type Named = `${'networks' | 'endpoints'} ${string}`;

/** What the endpoint of an attachment is called: by win-hcn, or by win-bridge. */
export function ownNames({ config, pod }: Call): readonly string[] {
  const network: string = Object(config).name;
  const attachment = { containerId: pod.containerId, ifname: 'eth0', network };
  return [endpointName(attachment), dropInEndpointName(attachment)];
}

/** The endpoints of an attachment that HNS has. */
export function ownEndpoints({ hns }: Node, call: Call): readonly Found[] {
  const names = ownNames(call);
  return hns.dump().endpoints.filter(({ Name }) => names.includes(String(Name)));
}

/** The network and the node's own endpoint there, where the scenario creates them. */
export function ofNetwork({ config, neighbour }: Scenario): readonly Named[] {
  const name = String(config['name']);
  const hostEndpoint: readonly Named[] =
    neighbour?.['hostEndpoint'] === undefined ? [`endpoints ${hostEndpointName(name)}`] : [];
  return neighbour === undefined ? [`networks ${name}`, ...hostEndpoint] : hostEndpoint;
}

/** The ids of all that has one of these names. */
export function idsOf({ hns }: Node, named: readonly Named[]): readonly string[] {
  const { networks, endpoints } = hns.dump();
  return Object.entries({ networks, endpoints }).flatMap(([kind, documents]) =>
    documents
      .filter(({ Name }) => named.some((one) => one === `${kind} ${Name}`))
      .map(({ ID }) => String(ID)),
  );
}
