import { access } from './checks/access.ts';
import { containerd, plugins, validConf, winningConf } from './checks/conflist.ts';
import { duplicateAddresses, endpointHealth, staleEndpoints } from './checks/endpoints.ts';
import { ipamAddresses } from './checks/ipam.ts';
import { dnsService, loadBalancers, services } from './checks/load-balancers.ts';
import { log } from './checks/log.ts';
import { natNetworks, network, overlappingSubnets } from './checks/network.ts';
import { defaultRoute, forwarding, hostEndpoint, managementAddress } from './checks/node.ts';
import { paths } from './checks/paths.ts';
import { gateways, missingPods, pods } from './checks/pods.ts';
import { capturedTraffic, remoteEndpoints, remoteSubnets } from './checks/routes.ts';
import { elevation, hcn, hnsService, ports, windowsBuild } from './checks/windows.ts';
import { type Check, diagnose, type Finding, mergeFindings } from './finding.ts';
import type { Snapshot } from './snapshot.ts';

/** Causes before their effects: the first failure is the first to fix. */
export const checks: readonly Check[] = [
  elevation,
  windowsBuild,
  hnsService,
  hcn,
  containerd,
  winningConf,
  validConf,
  plugins,
  access,
  network,
  overlappingSubnets,
  managementAddress,
  defaultRoute,
  hostEndpoint,
  forwarding,
  remoteSubnets,
  remoteEndpoints,
  capturedTraffic,
  natNetworks,
  ports,
  staleEndpoints,
  endpointHealth,
  duplicateAddresses,
  ipamAddresses,
  missingPods,
  pods,
  gateways,
  paths,
  dnsService,
  loadBalancers,
  services,
  log,
];

/** The findings of all checks, those that say the same as one. For one pod, only the failures of checks that concern the node. */
export function findAll(snapshot: Snapshot): readonly Finding[] {
  return mergeFindings(
    checks.flatMap(({ name, isOfPod, diagnose: run }) =>
      diagnose({ diagnose: run }, snapshot)
        .filter(({ verdict }) => snapshot.selected === undefined || isOfPod || verdict === 'FAIL')
        .map((diagnosis) => ({ check: name, ...diagnosis })),
    ),
  );
}
