import { access } from './checks/access.ts';
import { containerd } from './checks/containerd.ts';
import { defaultRoute } from './checks/default-route.ts';
import { duplicateAddresses } from './checks/duplicate-addresses.ts';
import { elevation } from './checks/elevation.ts';
import { endpointHealth, staleEndpoints } from './checks/endpoints.ts';
import { hcn } from './checks/hcn.ts';
import { hnsCrashes } from './checks/hns-crashes.ts';
import { hnsService } from './checks/hns-service.ts';
import { hostEndpoint } from './checks/host-endpoint.ts';
import { log } from './checks/log.ts';
import { managementAddress } from './checks/management-address.ts';
import { mtu } from './checks/mtu.ts';
import { natAcls } from './checks/nat-acls.ts';
import { network } from './checks/network.ts';
import { overlay } from './checks/overlay.ts';
import { plugins } from './checks/plugins.ts';
import { portMappings } from './checks/port-mappings.ts';
import { ports } from './checks/ports.ts';
import { validConf } from './checks/valid-conf.ts';
import { windowsBuild } from './checks/windows-build.ts';
import { winningConf } from './checks/winning-conf.ts';
import type { Facts } from './facts.ts';
import type { Check, Judgement } from './finding.ts';

/** In the order in which one leads to the next: what fails first is what to mend first. */
const checks: readonly Check[] = [
  elevation,
  windowsBuild,
  hnsService,
  hnsCrashes,
  hcn,
  containerd,
  winningConf,
  validConf,
  plugins,
  access,
  network,
  managementAddress,
  defaultRoute,
  hostEndpoint,
  mtu,
  overlay,
  natAcls,
  portMappings,
  ports,
  staleEndpoints,
  endpointHealth,
  duplicateAddresses,
  log,
];

/** What a check found, by its name. */
export interface Finding extends Judgement {
  readonly check: string;
}

/** What every check makes of the facts. */
export function examine(facts: Facts): readonly Finding[] {
  return checks.flatMap(({ name, judge }) =>
    judge(facts).map((judgement) => ({ check: name, ...judgement })),
  );
}
