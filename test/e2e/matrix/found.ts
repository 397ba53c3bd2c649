import { endpointName, hostEndpointName, replacedEndpointName } from '../../../src/model/identity.ts';
import type { Dump } from '../../simulator/hns.ts';
import type { Call, Node } from '../node.ts';
import type { Scenario } from './scenario.ts';

/** An object in HNS, which may have chosen its id. */
export type Found = Readonly<Record<string, unknown>>;

/** Kind and name of an object, with which its key in a snapshot starts. */
export type Named = `${'networks' | 'endpoints'} ${string}`;

/** Returns the names of an attachment's endpoint: that of win-hcn and that of win-bridge. */
export function ownNames({ config, pod }: Call): readonly string[] {
  const network: string = Object(config).name;
  const attachment = { containerId: pod.containerId, ifname: 'eth0', network };
  return [endpointName(attachment), replacedEndpointName(attachment)];
}

/** Returns the endpoints of an attachment in HNS. */
export function ownEndpoints({ hns }: Node, call: Call): readonly Found[] {
  const names = ownNames(call);
  return hns.dump().endpoints.filter(({ Name }) => names.includes(String(Name)));
}

/** Returns the network and its host endpoint if the scenario creates them. */
export function ofNetwork({ config, neighbor }: Scenario): readonly Named[] {
  const name = String(config['name']);
  const hostEndpoint: readonly Named[] =
    neighbor?.['hostEndpoint'] === undefined ? [`endpoints ${hostEndpointName(name)}`] : [];
  return neighbor === undefined ? [`networks ${name}`, ...hostEndpoint] : hostEndpoint;
}

/** Returns the ids of all objects with one of these names. */
export function idsOf({ networks, endpoints }: Dump, named: readonly Named[]): readonly string[] {
  return Object.entries({ networks, endpoints }).flatMap(([kind, documents]) =>
    documents
      .filter(({ Name }) => named.some((one) => one === `${kind} ${Name}`))
      .map(({ ID }) => String(ID)),
  );
}
