import type { NetworkConfig } from '../../../config/network-config.ts';
import type { Policy } from '../../../hcn/documents.ts';
import { isPolicyOf } from '../../../model/network-document.ts';
import { type Diagnosis, pass, type QueryCheck, unknown, warn, withValue } from '../check.ts';
import type { Facts } from '../facts.ts';
import type { Query } from '../powershell.ts';

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

/** Updates that broke container networking, and the revision that fixed it. */
const brokenUpdates = [
  {
    build: 20348,
    from: 2582,
    until: 2762,
    // https://github.com/microsoft/Windows-Containers/issues/516
    text: 'KB5040437 and later updates may break pod networks; install KB5044281 (20348.2762) or later',
  },
];

export const windowsBuild: QueryCheck<WindowsVersion> = {
  name: 'Windows',
  query: windowsVersion,
  diagnose: (_, result) =>
    withValue(
      result,
      ({ caption, build, revision }) => {
        const seen = `${caption}, build ${build}${revision === 0 ? '' : `.${revision}`}`;
        const broken = brokenUpdates.find(
          (update) => update.build === build && revision >= update.from && revision < update.until,
        );
        if (broken === undefined) return [pass(seen)];
        return [warn(`${seen}: ${broken.text}`, { see: showUpdates })];
      },
      showVersion,
    ),
};

/** Windows Server 2025. */
const affectedBuild = 26_100;

/**
 * ACLs had no effect on NAT endpoints in October 2025, and were seen to work with this update of April 2026.
 * https://github.com/microsoft/Windows-Containers/issues/616
 */
const aclFix = { revision: 32_690, update: 'KB5082063 (26100.32690, April 2026)' };

/** Checks that Windows applies ACLs to NAT endpoints, if the node or its configuration has any. */
export const natAcls: QueryCheck<WindowsVersion> = {
  name: 'NAT ACLs',
  query: windowsVersion,
  diagnose: (facts, result) => (hasNatAcls(facts) ? withValue(result, diagnoseNatAcls, showVersion) : []),
};

function diagnoseNatAcls({ build, revision, isServer }: WindowsVersion): readonly Diagnosis[] {
  if (build !== affectedBuild || !isServer) return [];
  if (revision === 0)
    return [
      unknown(
        `Windows Server 2025 before ${aclFix.update} may not apply ACLs to NAT endpoints; this node's update level is unknown`,
        { see: showVersion },
      ),
    ];
  if (revision >= aclFix.revision) return [pass(`build ${build}.${revision} applies ACLs to NAT endpoints`)];
  return [
    warn(
      `build ${build}.${revision} may not apply ACLs to NAT endpoints, so blocked traffic passes; install ${aclFix.update} or later`,
      { see: showUpdates },
    ),
  ];
}

function hasNatAcls({ configuration, inventory }: Facts): boolean {
  if (configuration.network !== undefined && configuresNatAcls(configuration.network)) return true;
  if ('error' in inventory) return false;
  const { networks, endpoints } = inventory.value;
  const nat = networks.filter(({ Type }) => Type.toLowerCase() === 'nat').map(({ ID }) => ID);
  return endpoints.some(
    ({ HostComputeNetwork, Policies = [] }) => nat.includes(HostComputeNetwork) && hasAcl(Policies),
  );
}

/** Any ACL requires a default action, except in another plugin's dialect. */
function configuresNatAcls(config: NetworkConfig): boolean {
  const { networkType, defaultAction, portMapping, endpointPolicies } = config;
  const hasAcls = defaultAction !== undefined || portMapping.allowAcl || hasAcl(endpointPolicies);
  return networkType === 'NAT' && hasAcls;
}

function hasAcl(policies: readonly Policy[]): boolean {
  return policies.some((policy) => isPolicyOf('ACL', policy));
}
