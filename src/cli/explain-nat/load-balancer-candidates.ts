import type { LoadBalancerPortMapping, ObservedLoadBalancer } from '../../hcn/documents.ts';
import { protocolName } from '../../net/protocols.ts';
import { fiveTuple } from '../inventory/five-tuple.ts';
import { backendsOf, isFrontend } from '../traffic/backends.ts';
import { type Judgement, type Match, matchTuple } from '../traffic/match-tuple.ts';
import type { Question } from './question.ts';

/** One port of a load balancer that has the destination's address, or may have it. */
export interface Candidate extends Judgement {
  readonly loadBalancer: ObservedLoadBalancer;
  readonly mapping: LoadBalancerPortMapping;
}

/** Those of all load balancers, and the number of the load balancers that are for other addresses. */
export function candidatesFor(question: Question): {
  readonly candidates: readonly Candidate[];
  readonly others: number;
} {
  const { loadBalancers } = question.inventory;
  const near = loadBalancers.flatMap((loadBalancer) => {
    const listens = listensOn(loadBalancer, question);
    return listens === 'no' ? [] : [{ loadBalancer, listens }];
  });
  const candidates = near.flatMap(({ loadBalancer, listens }) =>
    loadBalancer.PortMappings.map((mapping) => ({
      loadBalancer,
      mapping,
      ...judge(loadBalancer, mapping, listens, question),
    })),
  );
  return { candidates, others: loadBalancers.length - near.length };
}

/** As `80/tcp`. */
export function portOf({ ExternalPort, Protocol }: LoadBalancerPortMapping): string {
  return `${ExternalPort}/${protocolName(Protocol)}`;
}

/** One without frontends listens on the node's own addresses, as for a node port. */
function listensOn(loadBalancer: ObservedLoadBalancer, { destination, nodeAddresses }: Question): Match {
  const { address } = destination;
  const { FrontendVIPs = [] } = loadBalancer;
  if (FrontendVIPs.length > 0) return isFrontend(loadBalancer, address) ? 'yes' : 'no';
  if (nodeAddresses === undefined) return 'unknown';
  return nodeAddresses.includes(address) ? 'yes' : 'no';
}

function judge(
  loadBalancer: ObservedLoadBalancer,
  { Protocol, ExternalPort }: LoadBalancerPortMapping,
  listens: Match,
  question: Question,
): Judgement {
  const { destination, addresses, network, inventory } = question;
  const { address, port, protocol } = destination;
  const judgement = matchTuple(fiveTuple({ Protocols: Protocol, RemotePorts: ExternalPort }), {
    localAddresses: addresses,
    remoteAddress: address,
    remotePort: port,
    protocol,
  });
  if (judgement.matches !== 'yes') return judgement;
  if (listens === 'unknown')
    return { matches: 'unknown', because: `whether ${address} is the node's is not known` };
  const networks = backendsOf(loadBalancer, inventory).map(({ HostComputeNetwork }) => HostComputeNetwork);
  if (networks.length === 0 || network === undefined || networks.includes(network.ID)) return judgement;
  const other = inventory.networks.find(({ ID }) => ID === networks[0])?.Name ?? networks[0];
  return { matches: 'unknown', because: `its backends are on network ${other}` };
}
