import type { Query } from '../../terminal/powershell.ts';
import { pass, type QueryCheck, warn, withValue } from '../check.ts';
import type { Facts } from '../facts.ts';

/** The version of Windows. */
export interface WindowsVersion {
  /** In the language of Windows. */
  readonly caption: string;
  /** 20348 is Windows Server 2022, 26100 is Windows Server 2025. */
  readonly build: number;
  /** Updates raise it; 0 if unknown. */
  readonly revision: number;
  /** Client editions share build numbers with servers but have other update revisions. */
  readonly isServer: boolean;
}

/** Only the registry has the revision. https://learn.microsoft.com/windows/win32/cimwin32prov/win32-operatingsystem */
const windowsVersion: Query<WindowsVersion> = {
  script: `
$windows = Get-CimInstance Win32_OperatingSystem
$current = Get-ItemProperty 'HKLM:\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion'
ConvertTo-Json -Compress @{
  caption = "$($windows.Caption)"
  build = [int]$windows.BuildNumber
  revision = [int]$current.UBR
  server = $windows.ProductType -ne 1
}`,
  read: (output) => ({
    caption: output.read('caption', 'a string').trim(),
    build: output.read('build', 'a number'),
    revision: output.read('revision', 'a number'),
    isServer: output.read('server', 'true or false'),
  }),
};

const showVersion = 'cmd /c ver';
const showUpdates = 'Get-HotFix | Sort-Object InstalledOn';

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
  { configuration, inventory }: Facts,
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
export const windowsBuild: QueryCheck<WindowsVersion> = {
  name: 'Windows',
  query: windowsVersion,
  diagnose: (facts, result) =>
    withValue(
      result,
      (version) => {
        const { caption, build, revision } = version;
        const seen = `${caption}, build ${build}${revision === 0 ? '' : `.${revision}`}`;
        const faults = knownFaults.filter((fault) => hasFault(version, facts, fault));
        if (faults.length === 0) return [pass(seen)];
        return faults.map(({ text }) => warn(`${seen}: ${text}`, { see: showUpdates }));
      },
      showVersion,
    ),
};
