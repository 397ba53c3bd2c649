import type { Command } from 'commander';
import type { ObservedEndpoint } from '../../hcn/documents.ts';
import type { EndpointId } from '../../hcn/guid.ts';
import type { Inventory } from '../../model/inventory.ts';
import { familyOf, isHostAddress } from '../../net/address.ts';
import type { System } from '../../system.ts';
import { endpointRow } from '../inventory/endpoint-row.ts';
import { readAdapters, readInventory } from '../inventory/read-inventory.ts';
import { newCommand } from '../new-command.ts';
import { type DataFlags, dataFormatOption, podText } from '../options.ts';
import { formatted } from '../output.ts';
import { reportNotFound } from '../resolve-object.ts';
import { exitCode, type Session } from '../session.ts';
import { findPod } from '../show/find-container.ts';
import {
  addressesOf,
  backendAddresses,
  type Destination,
  describeLocalDelivery,
  formatDestination,
  invalidDestination,
  parseDestination,
} from '../traffic/destination.ts';
import { ownerText, ruleTable, vfpNote } from '../traffic/explanation-text.ts';
import { wrapSentences } from '../wrap.ts';
import { loadBalancerStage } from './load-balancer-stage.ts';
import { loopbackStage, outboundNatStage, portMappingStage, proxyStage } from './nat-stages.ts';
import { type NatRule, numberedPolicies, type Query } from './query.ts';
import { overlayStage, routeStage, sdnRouteStage } from './route-stages.ts';

/** `explain-nat`: explains NAT, load balancing and routing of traffic from a pod. */
export function explainNatCommand(session: Session): Command {
  return newCommand('explain-nat', session, {
    summary: 'explain NAT and routing for pod traffic',
    description:
      'Shows how the HNS configuration affects traffic from a pod to a destination: load balancers, OutBoundNAT and its ' +
      'exceptions, SDN routes and proxies. Policies are numbered in the order in which HCN returns them. OutBoundNAT ' +
      'exceptions are matched against the destination that you specify, not against the backends of a load balancer. ' +
      'Exit code: 0 if win-hcn can determine the result, otherwise 1.',
    examples: [
      'win-hcn explain-nat shop/web 10.96.0.10:53/udp',
      'win-hcn explain-nat 0e12d1d5a8cfb 8.8.8.8',
      'win-hcn explain-nat 0e12d1d5a8cfb [fd00::7]:443 -o json',
    ],
  })
    .argument('<pod>', podText)
    .argument(
      '<destination>',
      'destination as ADDRESS[:PORT][/PROTOCOL] (default protocol: tcp if there is a port)',
    )
    .addOption(dataFormatOption())
    .action(async (key: string, text: string, { output }: DataFlags, command: Command) => {
      const destination = parseDestination(text);
      if (destination === undefined) return command.error(`win-hcn: ${invalidDestination(text)}`);
      const inventory = await readInventory(session);
      const search = findPod(key, inventory);
      if ('problem' in search) return reportNotFound(search.problem, inventory, session);
      const { container, name: pod } = search.found;
      const node = await readNodeAddresses(session.system);
      const explanations = search.found.endpoints.map((endpoint) =>
        explainNat(endpoint, destination, inventory, node),
      );
      const macAddresses = explanations.map(({ macAddress }) => macAddress);
      const acls = `Check the ACLs too: win-hcn explain-acl ${key} out ${formatDestination(destination)}`;
      const leavesPod = explanations.some(({ lines }) => lines.length > 0);
      const note = [vfpNote(macAddresses), ...(leavesPod ? [acls] : [])].join('\n');
      if (explanations.some(({ open }) => open)) session.setExitCode(exitCode.problemFound);
      session.print(
        formatted(
          { container, ...(pod !== undefined && { pod }), destination, endpoints: explanations, note },
          output,
          ({ endpoints }) =>
            [
              ...endpoints.map((one) => natText(one, pod, destination, session)),
              wrapSentences(note, session.width),
            ].join('\n\n'),
        ),
      );
    });
}

/** The addresses of the node's network adapters; undefined if Windows does not return them. */
async function readNodeAddresses(system: System): Promise<readonly string[] | undefined> {
  try {
    const adapters = await readAdapters(system, 10);
    return adapters.flatMap(({ addresses }) => addresses.map(({ address }) => address));
  } catch {
    return undefined;
  }
}

/** An explanation as text: its sentences, then a table of all rules. */
function natText(
  { endpoint, network, addresses, says, lines }: NatExplanation,
  pod: string | undefined,
  destination: Destination,
  session: Session,
): string {
  const [first = '', ...others] = says;
  const from = addresses.length === 0 ? '' : `from ${addresses.join(' or ')} `;
  const rules = lines.map(({ stage, line, ...rest }) => ({ ...rest, cells: { stage, rule: line } }));
  return [
    session.style('bold', wrapSentences(first, session.width)),
    ...others.map((sentence) => wrapSentences(sentence, session.width)),
    '',
    wrapSentences(
      `${ownerText(endpoint, pod)} on ${network}, ${from}to ${formatDestination(destination)}`,
      session.width,
    ),
    ...(rules.length === 0 ? [] : [ruleTable(rules, session)]),
  ].join('\n');
}

/** How HNS is configured to handle traffic from an endpoint to a destination. */
interface NatExplanation {
  readonly endpoint: EndpointId;
  readonly network: string;
  /** The endpoint's addresses of the destination's family. */
  readonly addresses: readonly string[];
  readonly macAddress: string;
  /** Sentences, most important first. */
  readonly says: readonly string[];
  /** Whether part of the result is uncertain. */
  readonly open: boolean;
  /** In the order of the data path: first the pod, then its port of the virtual switch. */
  readonly lines: readonly NatRule[];
}

/** Explains which NAT, load balancer, route or proxy applies to traffic from an endpoint. */
export function explainNat(
  endpoint: ObservedEndpoint,
  destination: Destination,
  inventory: Inventory,
  nodeAddresses: readonly string[] | undefined,
): NatExplanation {
  const { network: name, macAddress, stale } = endpointRow(endpoint, inventory);
  const { address } = destination;
  const family = familyOf(address);
  const addresses = addressesOf(endpoint, family);
  const about = { endpoint: endpoint.ID, network: name, addresses, macAddress };
  const withoutLines = (sentence: string, open: boolean) => ({ ...about, says: [sentence], open, lines: [] });
  if (addresses.length === 0)
    return withoutLines(`Not through this endpoint: it has no ${family} address.`, true);
  const within = describeLocalDelivery(address, addresses);
  if (within !== undefined) return withoutLines(within, false);
  if (!isHostAddress(address))
    return withoutLines(
      `${address} is not a unicast address, and HNS does not document how it handles it.`,
      true,
    );
  const network = inventory.networks.find(({ ID }) => ID === endpoint.HostComputeNetwork);
  const query: Query = {
    endpoint,
    addresses,
    destination,
    inventory,
    ...(network !== undefined && { network }),
    ...(nodeAddresses !== undefined && { nodeAddresses }),
  };
  const proxy = proxyStage(query);
  const route = routeStage(query);
  const balancing = loadBalancerStage(query);
  const loopback = loopbackStage(query, balancing.by);
  const sdnRoute = sdnRouteStage(query);
  const overlay = overlayStage(query);
  const backends = balancing.by === undefined ? [] : backendAddresses(balancing.by, inventory, family);
  const nat = outboundNatStage(query, backends);
  const mappings = portMappingStage(query);
  const hasRoute = route.sentences.length === 0;
  const dataPath = hasRoute
    ? [proxy, route, balancing, loopback, sdnRoute, overlay, nat, mappings]
    : [proxy, route];
  const byImportance = hasRoute ? [proxy, route, balancing, loopback, nat, sdnRoute, overlay] : dataPath;
  const unevaluated = [endpoint, network].some((owner) => numberedPolicies('L4Proxy', owner).length > 0)
    ? ['L4Proxy policies, which explain-nat does not evaluate, may redirect the traffic.']
    : [];
  return {
    ...about,
    says: [
      ...unevaluated,
      ...byImportance.flatMap(({ sentences }) => sentences),
      ...(stale === undefined ? [] : [`The endpoint is a leftover: ${stale}.`]),
    ],
    open: unevaluated.length > 0 || dataPath.some(({ uncertain }) => uncertain === true),
    lines: dataPath.flatMap(({ rules }) => rules),
  };
}
