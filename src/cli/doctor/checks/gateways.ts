import type { ObservedNetwork } from '../../../hcn/documents.ts';
import { findById, type Inventory } from '../../../model/inventory.ts';
import { defaultGateway, subnetsOf } from '../../../model/network-document.ts';
import type { EndpointRow } from '../../inventory/endpoint-row.ts';
import { countText, firstFew, shortGuid } from '../../terminal/short-text.ts';
import { type Check, type Diagnosis, fail, isSelected, known, pass, warn } from '../finding.ts';
import { findGateway } from '../pod-differences.ts';
import { describeEndpoint } from './endpoints.ts';
import { podEndpoints } from './pods.ts';

/** The types of networks whose pods have a default route in HNS. */
const routedTypes = ['l2bridge', 'l2tunnel', 'overlay', 'nat'];

/**
 * Checks that the default gateways of pods exist, where no configuration is compared with their endpoints. A missing default route counts
 * only beside other pods that have one: HNS may not return it. A second interface has none.
 */
export const gateways: Check = {
  name: 'pod gateways',
  isOfPod: true,
  diagnose: (snapshot) => {
    const inventory = known(snapshot.inventory);
    const routed = routedPods(inventory, snapshot.configuration.network?.name);
    const withGateway = routed.flatMap(({ gateway, ...pod }) =>
      gateway === undefined ? [] : { ...pod, gateway },
    );
    const chosen = withGateway.filter(({ row }) => isSelected(snapshot, row.id));
    const without = routed.filter(
      ({ gateway, network, row }) =>
        gateway === undefined &&
        isSelected(snapshot, row.id) &&
        withGateway.some((other) => other.network === network) &&
        !withGateway.some((other) => other.row.namespace === row.namespace),
    );
    if (chosen.length + without.length === 0) return [];
    const adapters = known(snapshot.adapters);
    const placed = chosen.map((pod) => ({
      ...pod,
      place: findGateway(pod.gateway, { ...pod, inventory, adapters }),
    }));
    const problems = [
      ...without.map(({ row }) => fail('no default route', detailsOf(row))),
      ...placed.filter(({ place }) => place === undefined).map(diagnoseAbsent),
    ];
    if (problems.length > 0) return problems;
    const places = [...new Set(placed.map(({ gateway, place }) => `${gateway} (${place})`))];
    return [pass(`${countText(placed.length, 'endpoint')}, gateway ${firstFew(places)}`)];
  },
};

/** A pod on a network with gateways. */
interface RoutedPod {
  readonly row: EndpointRow;
  readonly network: ObservedNetwork;
  readonly gateway: string;
}

/** A router may have the network's own gateway. */
function diagnoseAbsent({ row, network, gateway }: RoutedPod): Diagnosis {
  const isOfNetwork = subnetsOf(network).some(({ Routes = [] }) => defaultGateway(Routes) === gateway);
  const seen = `nothing on this node has gateway ${gateway}`;
  return isOfNetwork ? warn(`${seen}: a router must have it`, detailsOf(row)) : fail(seen, detailsOf(row));
}

function detailsOf(row: EndpointRow) {
  const see = `win-hcn show endpoint ${shortGuid(row.id)}`;
  return { subjects: [describeEndpoint(row)], see };
}

/** The pods on networks with gateways, except on the configured one. */
function routedPods(inventory: Inventory, configured: string | undefined) {
  return podEndpoints(inventory).flatMap(({ endpoint, row }) => {
    const network = findById(inventory.networks, endpoint.HostComputeNetwork);
    if (network === undefined || network.Name === configured) return [];
    if (!routedTypes.includes(network.Type.toLowerCase())) return [];
    const { Routes = [] } = endpoint;
    return [{ row, network, gateway: defaultGateway(Routes, 'IPv4') ?? defaultGateway(Routes) }];
  });
}
