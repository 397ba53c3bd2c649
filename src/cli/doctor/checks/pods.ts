import { CniError } from '../../../cni/error.ts';
import type { HostComputeNamespace } from '../../../hcn/documents.ts';
import { isObject } from '../../../json/members.ts';
import { hasNameOfCloudPlugin } from '../../../model/identity.ts';
import { findById, type Inventory } from '../../../model/inventory.ts';
import { defaultGateway, subnetsOf } from '../../../model/network-document.ts';
import { containersIn } from '../../../model/readiness.ts';
import { isUnspecified } from '../../../net/address.ts';
import { podOf } from '../../inventory/endpoint-row.ts';
import { quote } from '../../terminal/powershell.ts';
import { countText, firstFew, shortContainer } from '../../terminal/short-text.ts';
import { fileName } from '../../terminal/windows-path.ts';
import { type Check, type Diagnosis, fail, isSelected, known, orPass, pass, warn } from '../finding.ts';
import { expectedEndpoint, type UsedNetwork, usedNetwork } from '../plan.ts';
import { comparePod, findGateway } from '../pod-differences.ts';
import { type PodEndpoint, podEndpoints, selectedPods, showEndpoint } from '../pod-endpoints.ts';
import { fails } from '../policy-differences.ts';
import { isInForce } from '../runtime.ts';
import type { Snapshot } from '../snapshot.ts';

/** Compares each pod's endpoint on the configured network with the one that ADD would create from the configuration. */
export const pods: Check = {
  name: 'pods',
  isOfPod: true,
  diagnose: (snapshot) => {
    const used = usedNetwork(snapshot);
    if (used === undefined) return [];
    const own = selectedPods(snapshot).filter(({ row }) => row.network === used.config.name);
    const compared = own.map((pod) => ({ pod, ...compareWithPlan(pod, used, snapshot) }));
    const found = compared.flatMap(({ pod: { row }, differences }) =>
      differences.map((difference) => ({ ...difference, ...showEndpoint(row) })),
    );
    const problems = [...found, ...podsElsewhere(used, snapshot)];
    if (problems.length > 0) return problems;
    const file = fileName(snapshot.configuration.used?.path ?? '');
    const isUsed = isInForce(snapshot) && snapshot.configuration.used?.report.problems.length === 0;
    const how = isUsed ? `as ADD creates them with ${file}` : `as in ${file}, which ADD may not use`;
    const verdict = isUsed ? 'PASS' : 'UNKNOWN';
    return [...Map.groupBy(compared, ({ members }) => members)].map(([members, { length }]) => {
      return { verdict, seen: `${countText(length, 'endpoint')} ${how}: ${members}` };
    });
  },
};

/** Pods of Kubernetes without an endpoint on the configured network, or on one of another active file. */
function podsElsewhere({ config, inventory }: UsedNetwork, snapshot: Snapshot): readonly Diagnosis[] {
  const { files } = snapshot.configuration;
  const configured = [config.name, ...('value' in files ? files.value.map(({ network }) => network) : [])];
  const own = podEndpoints(inventory).filter(({ row }) => configured.includes(row.network));
  const served = new Set(own.map(({ row }) => row.namespace));
  return selectedPods(snapshot)
    .filter(({ row }) => row.pod?.includes('/') && !served.has(row.namespace))
    .map(({ row }) =>
      fail(
        `on network "${row.network}", the configuration has "${config.name}": recreate the pod`,
        showEndpoint(row),
      ),
    );
}

/** Compares a pod with its plan. ADD refuses an address that the pod must not have. */
function compareWithPlan(
  { endpoint, row }: PodEndpoint,
  used: UsedNetwork,
  { configuration: { plugin }, adapters }: Snapshot,
): ReturnType<typeof comparePod> {
  const { inventory, found, config } = used;
  const capabilities = plugin?.config['capabilities'];
  const node = {
    network: found,
    inventory,
    adapters: 'value' in adapters ? adapters.value : [],
    remoteSubnets: config.remoteSubnets.map(({ subnet }) => subnet),
    runtimeLimits: isObject(capabilities) && capabilities['bandwidth'] === true,
  };
  try {
    return comparePod(expectedEndpoint(used, plugin, endpoint, row), endpoint, node);
  } catch (error) {
    if (!(error instanceof CniError)) throw error;
    return { differences: [fails(error.message)], members: '' };
  }
}

/**
 * Reports namespaces with running containers and without endpoints: HNS can lose endpoints when it crashes. A warning for a container
 * without a record of an ADD, because `ctr run` also starts containers without a network.
 */
export const missingPods: Check = {
  name: 'running pods',
  isOfPod: true,
  diagnose: (snapshot) => {
    const inventory = known(snapshot.inventory);
    const containersOf = (namespaces: readonly HostComputeNamespace[]) =>
      namespaces
        .filter(({ ID = '' }) => isSelected(snapshot, ID))
        .flatMap((namespace) => containersIn(namespace).slice(0, 1));
    const count = containersOf(inventory.namespaces).length;
    if (count === 0) return [];
    const lost = containersOf(known(snapshot.missingEndpoints).namespaces).map((id) => {
      const pod = podOf(id, inventory);
      const name = pod ?? shortContainer(id);
      const details = { noun: 'pod', subjects: [name], see: `win-hcn show pod ${quote(name)}` };
      return (pod === undefined ? warn : fail)(
        'without an endpoint and so without network: recreate the pod',
        details,
      );
    });
    return orPass(lost, `${countText(count, 'namespace')} with containers, all with endpoints`);
  },
};

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
      if (isOfNetwork && hasNameOfCloudPlugin(row.name)) return [pass(`${gateway} (the cloud)`)];
      if (isOfNetwork) return [warn(`${seen}: a router must have it`, showEndpoint(row))];
      return [fail(seen, showEndpoint(row))];
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
    const gateway = defaultGateway(Routes, 'IPv4') ?? defaultGateway(Routes);
    return gateway !== undefined && isUnspecified(gateway) ? [] : [{ row, network, gateway }];
  });
}
