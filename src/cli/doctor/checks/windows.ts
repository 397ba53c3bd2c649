import type { HnsVersion } from '../../../hcn/documents.ts';
import {
  describeMissingFeature,
  describeVersion,
  isSupported,
  missingFeatures,
  requiredFeatures,
} from '../../../plan/features.ts';
import type { PortRange } from '../../terminal/node-queries.ts';
import { quote } from '../../terminal/powershell.ts';
import { type Check, type Diagnosis, fail, known, pass, warn } from '../finding.ts';
import type { Snapshot } from '../snapshot.ts';
import type { HnsService, ProtocolPorts, WindowsVersion } from '../windows-state.ts';

/** HCN requires an elevated caller. */
export const elevation: Check = {
  name: 'elevation',
  diagnose: ({ windows: { account } }) => {
    const { name, isElevated } = known(account);
    return [
      isElevated
        ? pass(`${name} is elevated`)
        : fail(`${name} is not elevated, and HCN requires administrator rights`, {
            fix: 'Start-Process powershell -Verb RunAs',
          }),
    ];
  },
};

interface KnownFault {
  readonly build: number;
  /** Default: the same build. */
  readonly lastBuild?: number;
  /** Default: servers. */
  readonly isServer?: boolean;
  /** The first revision with the fault. Default: every known one. */
  readonly from?: number;
  /** The first revision without the fault. Default: none. */
  readonly until?: number;
  /** The network types that it concerns. Default: all. */
  readonly networkTypes?: readonly string[];
  readonly text: string;
}

/** Faults of Windows in container networking, and the revision that fixed each. */
const knownFaults: readonly KnownFault[] = [
  {
    build: 17763,
    until: 2268,
    // https://github.com/Azure/aks-engine/pull/4315; without the registry value since 2021-10C: https://github.com/Azure/AgentBaker/pull/1309
    text:
      'HNS may hang if several load balancers refer to one endpoint; install KB5006744 (17763.2268) or later. ' +
      'From KB4601383 (17763.1790), HNS returns an error instead if HNSControlFlag is 1 in HKLM:\\SYSTEM\\CurrentControlSet\\Services\\hns\\State',
  },
  {
    build: 20348,
    from: 2582,
    until: 2762,
    // https://github.com/microsoft/Windows-Containers/issues/516
    text: 'KB5040437 and later updates may break pod networks; install KB5044281 (20348.2762) or later',
  },
  {
    build: 26100,
    until: 6899,
    networkTypes: ['Overlay'],
    // https://github.com/rancher/rancher/issues/50915 announces the fix for the update of October 2025.
    text: 'Overlay networks may not work; install KB5066835 (26100.6899, October 2025) or later',
  },
  {
    build: 26100,
    until: 32_690,
    networkTypes: ['NAT'],
    // https://github.com/microsoft/Windows-Containers/issues/616
    text: 'ACLs may not apply to NAT endpoints, so blocked traffic passes; install KB5082063 (26100.32690, April 2026) or later',
  },
  {
    build: 26100,
    lastBuild: Number.POSITIVE_INFINITY,
    isServer: false,
    networkTypes: ['L2Bridge', 'L2Tunnel', 'Overlay'],
    // https://github.com/microsoft/Windows-Containers/issues/608 and 516
    text: 'Windows 11 24H2 and later may drop the packets of pods, because VFP does not forward packets on client Windows (microsoft/Windows-Containers#608); use Windows Server',
  },
];

/** Whether this Windows has a fault that concerns a network of the node or of its configuration. */
function hasFault(
  { build, revision, isServer }: WindowsVersion,
  { configuration, inventory }: Snapshot,
  fault: KnownFault,
): boolean {
  const { lastBuild = fault.build, from = 1, until = Number.POSITIVE_INFINITY, networkTypes } = fault;
  const networks = 'value' in inventory ? inventory.value.networks : [];
  const types = [configuration.network?.networkType, ...networks.map(({ Type }) => Type)];
  return (
    isServer === (fault.isServer ?? true) &&
    build >= fault.build &&
    build <= lastBuild &&
    revision >= from &&
    revision < until &&
    (networkTypes?.some((type) => types.some((other) => other?.toLowerCase() === type.toLowerCase())) ?? true)
  );
}

/** Compares this build of Windows with the known faults. */
export const windowsBuild: Check = {
  name: 'Windows',
  diagnose: (snapshot) => {
    const version = known(snapshot.windows.version);
    const { caption, build, revision } = version;
    const seen = `${caption}, build ${build}${revision === 0 ? '' : `.${revision}`}`;
    const faults = knownFaults.filter((fault) => hasFault(version, snapshot, fault));
    if (faults.length === 0) return [pass(seen)];
    return faults.map(({ text }) =>
      warn(`${seen}: ${text}`, { see: 'Get-HotFix | Sort-Object InstalledOn' }),
    );
  },
};

/** Above this number Microsoft's own node check reports a deadlock. */
const maxThreads = 200;

/** Checks that the service runs. Windows starts it on demand, so start type Manual is correct. */
export const hnsService: Check = {
  name: 'HNS service',
  diagnose: ({ windows }) => [diagnoseService(known(windows.service))],
};

function diagnoseService({ state, startMode, processId, threads }: HnsService): Diagnosis {
  if (state === '')
    return fail('service hns does not exist: Windows feature Containers is not installed', {
      fix: 'Enable-WindowsOptionalFeature -Online -FeatureName Containers -All',
    });
  if (startMode === 'Disabled')
    return fail(`hns is disabled and ${state.toLowerCase()}`, {
      fix: 'Set-Service hns -StartupType Manual; Start-Service hns',
    });
  if (state.endsWith('Pending'))
    return fail(
      `hns is ${state.toLowerCase()} (process ${processId}); if this does not change, drain the node and restart Windows`,
      { see: 'Get-Service hns' },
    );
  if (state !== 'Running') return fail(`hns is ${state.toLowerCase()}`, { fix: 'Start-Service hns' });
  const seen = `running, process ${processId}, ${threads} threads, start type ${startMode}`;
  if (threads <= maxThreads) return pass(seen);
  return warn(
    `${seen}; more than ${maxThreads} threads usually indicate a deadlock: drain the node, because pods may lose their endpoints, then run Restart-Service hns -Force`,
    { see: 'Get-Service hns' },
  );
}

/** A crash may remove the endpoints of running pods. */
export const hnsCrashes: Check = {
  name: 'HNS crashes',
  diagnose: ({ windows }) => {
    const times = known(windows.crashes);
    if (times.length === 0) return [pass('none in the last 24 hours')];
    const seen = `${times.length} in the last 24 hours, the latest at ${times[0]}: older pods may have lost their endpoints`;
    const see =
      "Get-WinEvent -FilterHashtable @{ LogName = 'System'; Id = 7031, 7034 } -MaxEvents 20 | Format-List TimeCreated, Message";
    return [warn(seen, { see })];
  },
};

/** Checks that HCN responds and supports what the configuration needs. */
export const hcn: Check = {
  name: 'HCN',
  diagnose: (snapshot) => {
    const { version, inventory, hcnError } = snapshot;
    if ('error' in version) return [diagnoseError(version.error)];
    const unreadable = 'value' in inventory ? (inventory.value.unreadable ?? []) : [];
    const errors = [
      ...unreadable.map(({ error }) => error.message),
      ...(hcnError === undefined ? [] : [hcnError]),
    ];
    return [
      pass(describeHns(version.value)),
      ...diagnoseFeatures(version.value, snapshot),
      ...errors.map(diagnoseError),
    ];
  },
};

function diagnoseError(seen: string): Diagnosis {
  const hresult = /0x[0-9a-f]{8}/i.exec(seen)?.[0];
  const see = hresult === undefined ? 'Get-Service hns' : `win-hcn explain ${hresult}`;
  return fail(seen, { see });
}

function describeHns(version: HnsVersion): string {
  const missing = missingFeatures(version);
  const without = missing.length === 0 ? '' : `, without ${missing.join(', ')}`;
  return `HNS ${describeVersion(version)}${without}`;
}

/** The features that the configuration needs and this HNS does not support. */
function diagnoseFeatures(
  version: HnsVersion,
  { configuration: { network, used }, inventory }: Snapshot,
): readonly Diagnosis[] {
  if (network === undefined || 'error' in inventory) return [];
  const { networks, unreadable = [] } = inventory.value;
  const mayExist =
    networks.some(({ Name }) => Name === network.name) || unreadable.some(({ kind }) => kind === 'Network');
  return requiredFeatures(network, !mayExist)
    .filter(({ feature }) => !isSupported(feature, version))
    .map(({ at, feature }) =>
      fail(`${at} is not supported: ${describeMissingFeature(feature, version)}`, {
        see: `win-hcn config plan ${quote(used?.path ?? '-')}`,
      }),
    );
}

/** HNS reserves ports for outbound NAT and load balancers in blocks of this size. */
const blockSize = 64;
/** Microsoft's own node check warns at this number of free blocks. */
const fewBlocks = 10;

/** Checks that HNS can still reserve ports: without them, DNS and outbound traffic of pods stop. */
export const ports: Check = {
  name: 'ports',
  diagnose: ({ windows }) => known(windows.ports).map(diagnoseProtocol),
};

function diagnoseProtocol({ protocol, dynamic, excluded }: ProtocolPorts): Diagnosis {
  const free = freeBlocks(dynamic, excluded);
  const range = `${protocol.toUpperCase()} ${dynamic.first} to ${dynamic.last}`;
  const seen = `${range}: ${free} of ${freeBlocks(dynamic, [])} blocks of ${blockSize} ports are free`;
  if (free > fewBlocks) return pass(seen);
  return (free === 0 ? fail : warn)(`${seen}; HNS needs a block for outbound NAT and for load balancers`, {
    see: `netsh interface ipv4 show excludedportrange protocol=${protocol}`,
  });
}

/** The number of whole blocks between the excluded ranges. */
function freeBlocks({ first, last }: PortRange, excluded: readonly PortRange[]): number {
  let next = first;
  let free = 0;
  for (const range of excluded.toSorted((a, b) => a.first - b.first)) {
    free += blocksIn(next, Math.min(range.first - 1, last));
    next = Math.max(next, range.last + 1);
  }
  return free + blocksIn(next, last);
}

function blocksIn(first: number, last: number): number {
  return Math.max(0, Math.floor((last - first + 1) / blockSize));
}
