import { findById, type Inventory } from '../../../model/inventory.ts';
import { defaultGateway, subnetsOf } from '../../../model/network-document.ts';
import { countText, firstFew } from '../../terminal/short-text.ts';
import { type Check, type Diagnosis, fail, isSelected, known, orPass, pass, warn } from '../finding.ts';
import { findGateway } from '../pod-differences.ts';
import { podEndpoints, showEndpoint } from '../pod-endpoints.ts';

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
    const withGateway = routed.filter(({ gateway }) => gateway !== undefined);
    const chosen = routed.filter(({ row }) => isSelected(snapshot, row.id));
    const found = chosen.flatMap(({ row, network, gateway }): readonly Diagnosis[] => {
      if (gateway === undefined) {
        const isNeeded =
          withGateway.some((other) => other.network === network) &&
          !withGateway.some((other) => other.row.namespace === row.namespace);
        return isNeeded ? [fail('no default route', showEndpoint(row))] : [];
      }
      const place = findGateway(gateway, { network, inventory, adapters: known(snapshot.adapters) });
      if (place !== undefined) return [pass(`${gateway} (${place})`)];
      const seen = `nothing on this node has gateway ${gateway}`;
      const isOfNetwork = subnetsOf(network).some(({ Routes = [] }) => defaultGateway(Routes) === gateway);
      return [
        isOfNetwork
          ? warn(`${seen}: a router must have it`, showEndpoint(row))
          : fail(seen, showEndpoint(row)),
      ];
    });
    if (found.length === 0) return [];
    const places = [...new Set(found.map(({ seen }) => seen))];
    return orPass(
      found.filter(({ verdict }) => verdict !== 'PASS'),
      `${countText(found.length, 'endpoint')}, gateway ${firstFew(places)}`,
    );
  },
};

/** The pods on networks with gateways, except on the configured one. */
function routedPods(inventory: Inventory, configured: string | undefined) {
  return podEndpoints(inventory).flatMap(({ endpoint: { HostComputeNetwork, Routes = [] }, row }) => {
    const network = findById(inventory.networks, HostComputeNetwork);
    if (network === undefined || network.Name === configured) return [];
    if (!routedTypes.includes(network.Type.toLowerCase())) return [];
    return [{ row, network, gateway: defaultGateway(Routes, 'IPv4') ?? defaultGateway(Routes) }];
  });
}
