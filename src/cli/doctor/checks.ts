import type { NetworkConfig } from '../../config/network-config.ts';
import { limitsPerCall } from '../../hcn/deadline.ts';
import type { Inventory } from '../../model/inventory.ts';
import { routedSubnets } from '../../plan/remote-subnets.ts';
import type { ConfFile } from '../conflist/conf-file.ts';
import { newNameReader } from '../inventory/name-reader.ts';
import {
  openHcn,
  queryEndpoints,
  queryInventory,
  readAdapters,
  readRoutes,
} from '../inventory/read-inventory.ts';
import { printableIn } from '../terminal/output.ts';
import { factFrom, runQuery } from '../terminal/powershell.ts';
import { isHnsUnavailable, type Session } from '../terminal/session.ts';
import { type Check, type Diagnosis, noConfiguration, type QueryCheck, unknown } from './check.ts';
import { duplicateAddresses, overlappingSubnets } from './checks/addresses.ts';
import { validConf, winningConf } from './checks/conf-files.ts';
import { containerd, plugins } from './checks/containerd.ts';
import { endpointHealth, staleEndpoints } from './checks/endpoints.ts';
import { forwarding } from './checks/forwarding.ts';
import { hcn, hnsCrashes, hnsService } from './checks/hns.ts';
import { ipamAddresses } from './checks/ipam.ts';
import { backends } from './checks/load-balancers.ts';
import { log } from './checks/log.ts';
import { natExceptions } from './checks/nat-exceptions.ts';
import { mtu, network } from './checks/network.ts';
import { defaultRoute, hostEndpoint, managementAddress } from './checks/node-addresses.ts';
import { access, elevation } from './checks/permissions.ts';
import { pods } from './checks/pods.ts';
import { natNetworks, ports } from './checks/ports.ts';
import { remoteSubnets } from './checks/remote-subnets.ts';
import { windowsBuild } from './checks/windows.ts';
import type { Facts, HcnFacts } from './facts.ts';
import { confirmMissing, findMissingEndpoints } from './missing-endpoints.ts';
import {
  findPowerShellProblem,
  type Gathered,
  noPowerShell,
  type QueryResults,
  withoutReason,
} from './missing-powershell.ts';
import { readReservedLater } from './runtime/host-local.ts';
import { readConfiguration, readRuntime } from './runtime/read-runtime.ts';

/** Causes before their effects: the first failure is the first to fix. */
export const checks: readonly (Check | QueryCheck)[] = [
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
  overlappingSubnets,
  managementAddress,
  defaultRoute,
  hostEndpoint,
  forwarding,
  remoteSubnets,
  mtu,
  natNetworks,
  ports,
  staleEndpoints,
  endpointHealth,
  duplicateAddresses,
  ipamAddresses,
  pods,
  natExceptions,
  backends,
  log,
];

/** A diagnosis with the name of its check. */
export interface Finding extends Diagnosis {
  readonly check: string;
}

/** Runs all checks. `given` replaces the runtime's configuration. Never rejects. */
export async function runChecks(
  session: Session,
  given: ConfFile | undefined,
): Promise<{ readonly findings: readonly Finding[]; readonly isHnsAvailable: boolean }> {
  const [results, { facts, isHnsAvailable }] = await Promise.all([
    runQueries(session),
    gather(session, given),
  ]);
  return { findings: findAll({ facts, results }), isHnsAvailable };
}

/** The findings of all checks. What prevents several checks is reported once, with their names. */
function findAll(gathered: Gathered): readonly Finding[] {
  const problem = findPowerShellProblem(gathered);
  const all = diagnoseAll(problem === undefined ? gathered : withoutReason(gathered));
  const configured = reportOnce(all, noConfiguration, { check: 'configuration', seen: noConfiguration });
  if (problem === undefined) return configured;
  return reportOnce(configured, noPowerShell, { check: 'PowerShell', seen: problem });
}

/** Replaces the UNKNOWN findings that have the same reason by one, in the place of the first. */
function reportOnce(
  findings: readonly Finding[],
  reason: string,
  { check, seen }: Pick<Finding, 'check' | 'seen'>,
): readonly Finding[] {
  const isPrevented = (finding: Finding) => finding.verdict === 'UNKNOWN' && finding.seen === reason;
  const prevented = findings.filter(isPrevented);
  const names = [...new Set(prevented.map((finding) => finding.check))];
  const once = { check, ...unknown(`${seen}\nnot checked: ${names.join(', ')}`) };
  return findings.flatMap((finding) =>
    isPrevented(finding) ? (finding === prevented[0] ? [once] : []) : [finding],
  );
}

function diagnoseAll({ facts, results }: Gathered): readonly Finding[] {
  return checks.flatMap((check) =>
    diagnose(check, facts, results).map((diagnosis) => ({ check: check.name, ...diagnosis })),
  );
}

/** Runs the queries of all checks at the same time, each once. */
async function runQueries({ terminal }: Session): Promise<QueryResults> {
  const queries = new Set(checks.flatMap((check) => ('query' in check ? check.query : [])));
  const results = [...queries].map(async (query) => [query, await runQuery(terminal, query)] as const);
  return new Map(await Promise.all(results));
}

function diagnose(check: Check | QueryCheck, facts: Facts, results: QueryResults): readonly Diagnosis[] {
  if (!('query' in check)) return check.diagnose(facts);
  return check.diagnose(facts, results.get(check.query) ?? { error: 'not queried' });
}

/** Short: users run doctor because calls may hang. */
const seconds = 10;
const limits = limitsPerCall(seconds);

interface GatheredFacts {
  readonly facts: Facts;
  /** False if the Host Network Service does not respond, not even with an error. */
  readonly isHnsAvailable: boolean;
}

/**
 * Reads the facts that checks share, independently of each other after the runtime's configuration. Changes nothing. `given` replaces that
 * configuration.
 */
export async function gather(session: Session, given: ConfFile | undefined): Promise<GatheredFacts> {
  const { system } = session;
  const configuration = await readConfiguration(session, given);
  const reading = readRuntime(session, configuration);
  const [{ isHnsAvailable, ...hcn }, adapters, runtime, routes] = await Promise.all([
    readHcn(session),
    factFrom(readAdapters(system, seconds)),
    reading,
    reading.then(({ configuration: { network } }) => readConfiguredRoutes(network, session)),
  ]);
  const { executable, clock } = system;
  const hostLocal = runtime.hostLocal && readReservedLater(runtime.hostLocal, session);
  return {
    facts: { time: clock(), executable, adapters, routes, ...hcn, ...runtime, hostLocal },
    isHnsAvailable,
  };
}

async function readConfiguredRoutes(
  config: NetworkConfig | undefined,
  { system }: Session,
): Promise<Facts['routes']> {
  const isNeeded = config !== undefined && routedSubnets(config).length > 0;
  return isNeeded ? factFrom(readRoutes(system, seconds)) : { error: 'not queried' };
}

async function readHcn(session: Session): Promise<HcnFacts & { readonly isHnsAvailable: boolean }> {
  const { system } = session;
  let isHnsAvailable = true;
  const watched = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (isHnsUnavailable(error)) isHnsAvailable = false;
      throw error;
    }
  };
  const version = await factFrom(watched(openHcn(system, limits).version()));
  const inventory = await factFrom(
    watched(queryInventory(system, limits).then(withPrintableNames).then(newNameReader(session))),
  );
  const missingEndpoints =
    'value' in inventory
      ? await factFrom(
          watched(
            confirmMissing(findMissingEndpoints(inventory.value), () => queryEndpoints(system, limits)),
          ),
        )
      : inventory;
  return { version, inventory, missingEndpoints, isHnsAvailable };
}

/** A line break in a name would start a line of the report. */
function withPrintableNames(inventory: Inventory): Inventory {
  const { networks, endpoints } = inventory;
  return { ...inventory, networks: printableIn(networks), endpoints: printableIn(endpoints) };
}
