import type { ObservedNetwork } from '../../../hcn/documents.ts';
import { isOverlay, settingsOf } from '../../../model/network-document.ts';
import { remoteSubnetsOf } from '../../../plan/remote-subnets.ts';
import type { Query } from '../../terminal/powershell.ts';
import { type Diagnosis, pass, type QueryCheck, unknown, warn, withValue } from '../check.ts';
import type { Facts } from '../facts.ts';
import { planConfiguredNetwork } from '../planned-network.ts';

/** The Windows firewall, as it applies to inbound UDP packets. */
export interface Firewall {
  /** Whether group policy sets rules, which the local rules below do not show. */
  readonly hasGroupPolicy: boolean;
  /** The profiles of the networks that the node is connected to, each with its bit. */
  readonly profiles: readonly FirewallProfile[];
  /** The enabled inbound rules for UDP or any protocol, of all addresses, programs, services and interfaces. */
  readonly rules: readonly FirewallRule[];
}

interface FirewallProfile {
  readonly bit: number;
  readonly isEnabled: boolean;
  /** Whether it ignores all rules that allow something. */
  readonly blocksAll: boolean;
  readonly allowsByDefault: boolean;
}

interface FirewallRule {
  readonly name: string;
  readonly allows: boolean;
  /** Such as `4789`, `4000-5000,6000` or `*`; empty for a rule without ports. */
  readonly ports: string;
  /** The bits of its profiles. */
  readonly profiles: number;
}

/**
 * The COM interface of netsh and of the scripts that open the port: one call reads all rules, where Get-NetFirewallRule and its filters
 * need a query for each rule. https://learn.microsoft.com/windows/win32/api/netfw/nn-netfw-inetfwpolicy2
 */
const firewallState: Query<Firewall> = {
  script: `
$policy = New-Object -ComObject HNetCfg.FwPolicy2
$profiles = @(1, 2, 4 | Where-Object { $policy.CurrentProfileTypes -band $_ } | ForEach-Object {
  @{
    bit = $_
    isEnabled = [bool]$policy.FirewallEnabled($_)
    blocksAll = [bool]$policy.BlockAllInboundTraffic($_)
    allowsByDefault = [int]$policy.DefaultInboundAction($_) -eq 1
  }
})
$rules = @($policy.Rules | Where-Object { $_.Enabled -and $_.Direction -eq 1 -and $_.Protocol -in 17, 256 } | ForEach-Object {
  $limits = "$($_.RemoteAddresses)", "$($_.LocalAddresses)", "$($_.RemotePorts)" | Where-Object { $_ -notin '', '*' }
  $users = "$($_.ApplicationName)", "$($_.ServiceName)" | Where-Object { $_ -notin '', '*', 'System' }
  $links = @("$($_.InterfaceTypes)" | Where-Object { $_ -notin '', 'All' }) + @($_.Interfaces | Where-Object { $_ })
  if (@($limits).Count + @($users).Count + @($links).Count -eq 0) { @{
    name = "$($_.Name)"
    allows = [int]$_.Action -eq 1
    ports = "$($_.LocalPorts)"
    profiles = [int]$_.Profiles
  } }
})
ConvertTo-Json -Compress -Depth 4 @{
  hasGroupPolicy = [int]$policy.LocalPolicyModifyState -eq 1
  profiles = $profiles
  rules = $rules
}`,
  read: (output) => ({
    hasGroupPolicy: output.read('hasGroupPolicy', 'true or false'),
    profiles: output.readList('profiles', (one) => ({
      bit: one.read('bit', 'a number'),
      isEnabled: one.read('isEnabled', 'true or false'),
      blocksAll: one.read('blocksAll', 'true or false'),
      allowsByDefault: one.read('allowsByDefault', 'true or false'),
    })),
    rules: output.readList('rules', (one) => ({
      name: one.read('name', 'a string'),
      allows: one.read('allows', 'true or false'),
      ports: one.read('ports', 'a string'),
      profiles: one.read('profiles', 'a number'),
    })),
  }),
};

/**
 * Checks that the Windows firewall lets in what other nodes send through an Overlay network. Whether it sees these packets before the
 * virtual switch is not documented; scripts of Microsoft/SDN, Calico and rke2 allow them, flannel does not.
 */
export const firewall: QueryCheck<Firewall> = {
  name: 'firewall',
  query: firewallState,
  diagnose: (facts, result) => {
    const network = overlayToOtherNodes(facts);
    if (network === undefined) return [];
    const port = vxlanPort(network);
    return withValue(result, (state) => [diagnosePort(port, state)], showRules(port));
  },
};

/** The configured Overlay network, if it leads to pods of other nodes. */
function overlayToOtherNodes(facts: Facts): ObservedNetwork | undefined {
  const plan = planConfiguredNetwork(facts);
  const found = plan === undefined || plan.is === 'unknown' ? undefined : plan.found;
  if (found === undefined || !isOverlay(found)) return undefined;
  const configured = facts.configuration.network?.remoteSubnets ?? [];
  return configured.length + remoteSubnetsOf(found).length > 0 ? found : undefined;
}

/** https://learn.microsoft.com/virtualization/api/hcn/hns_schema#VxlanPortPolicySetting */
function vxlanPort({ Policies }: ObservedNetwork): number {
  const port = Number(settingsOf(Policies, 'VxlanPort')?.['Port']);
  return port > 0 ? port : 4789;
}

/** A block rule wins over an allow rule. */
function diagnosePort(port: number, { hasGroupPolicy, profiles, rules }: Firewall): Diagnosis {
  const what = `inbound UDP ${port}`;
  const enabled = profiles.filter(({ isEnabled }) => isEnabled);
  const relevant = rules.filter(({ ports }) => coversPort(ports, port));
  const rulesOf = ({ bit }: FirewallProfile, allows: boolean) =>
    relevant.filter((rule) => rule.allows === allows && (rule.profiles & bit) !== 0);
  const [block] = enabled.flatMap((profile) => rulesOf(profile, false));
  if (enabled.some(({ blocksAll }) => blocksAll))
    return warn(`the firewall blocks all inbound traffic, including ${what} from other nodes`, {
      see: 'Get-NetFirewallProfile | Format-Table Name, Enabled, AllowInboundRules',
    });
  if (block !== undefined)
    return warn(`rule "${block.name}" blocks ${what}: pods of other nodes cannot reach pods of this node`, {
      see: showRules(port),
    });
  const isAllowed = (profile: FirewallProfile) =>
    profile.allowsByDefault || rulesOf(profile, true).length > 0;
  if (enabled.every(isAllowed)) return pass(`${what} is allowed`);
  if (hasGroupPolicy)
    return unknown(`no local rule allows ${what}, but group policy may`, {
      see: 'Get-NetFirewallRule -PolicyStore ActiveStore -Direction Inbound -Enabled True',
    });
  return warn(`no firewall rule allows all ${what}: packets from pods of other nodes may be dropped`, {
    fix: `New-NetFirewallRule -Name OverlayTraffic${port}UDP -DisplayName 'Overlay network traffic UDP ${port}' -Direction Inbound -Action Allow -Protocol UDP -LocalPort ${port}`,
  });
}

/** A rule for any protocol has no ports; keywords such as RPC are no number. */
function coversPort(ports: string, port: number): boolean {
  if (ports === '' || ports === '*') return true;
  return ports.split(',').some((range) => {
    const [first = '', last = first] = range.trim().split('-');
    return /^\d+$/.test(first) && Number(first) <= port && port <= Number(last);
  });
}

function showRules(port: number): string {
  return `Get-NetFirewallPortFilter -Protocol UDP | Where-Object LocalPort -eq ${port} | Get-NetFirewallRule`;
}
