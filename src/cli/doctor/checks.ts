import type { Session } from '../terminal/session.ts';
import { access } from './checks/access.ts';
import { containerd, plugins, validConf, winningConf } from './checks/conflist.ts';
import { backends, duplicateAddresses, endpointHealth, staleEndpoints } from './checks/endpoints.ts';
import { ipamAddresses } from './checks/ipam.ts';
import { log } from './checks/log.ts';
import { natNetworks, network, overlappingSubnets } from './checks/network.ts';
import { defaultRoute, forwarding, hostEndpoint, managementAddress, remoteSubnets } from './checks/node.ts';
import { dns, missingPods, pods } from './checks/pods.ts';
import { elevation, hcn, hnsService, ports, windowsBuild } from './checks/windows.ts';
import { type Check, diagnose, type Finding, mergeFindings } from './finding.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

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
  natNetworks,
  ports,
  staleEndpoints,
  endpointHealth,
  duplicateAddresses,
  ipamAddresses,
  missingPods,
  pods,
  dns,
  backends,
  log,
];

/** Runs all checks. Never rejects. */
export async function runChecks(
  session: Session,
): Promise<Awaited<ReturnType<typeof takeSnapshot>> & { readonly findings: readonly Finding[] }> {
  const taken = await takeSnapshot(session);
  return { ...taken, findings: findAll(taken.snapshot) };
}

/** The findings of all checks, those that say the same as one. */
export function findAll(snapshot: Snapshot): readonly Finding[] {
  return mergeFindings(
    checks.flatMap((check) =>
      diagnose(check, snapshot).map((diagnosis) => ({ check: check.name, ...diagnosis })),
    ),
  );
}
