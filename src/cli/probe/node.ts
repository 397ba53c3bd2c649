import { CniError, code } from '../../cni/error.ts';
import type { Inventory } from '../../model/inventory.ts';
import { boundAdapter } from '../../model/network-document.ts';
import type { HostAdapter } from '../../net/host-adapter.ts';
import type { System } from '../../system.ts';
import { readAdapters } from '../inventory/read-inventory.ts';
import { type Query, runQuery } from '../terminal/powershell.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { hasProbeAddress } from './names.ts';

/** The experiments would affect others on this node. */
export class Unsuitable extends CniError {
  override readonly name = 'Unsuitable';

  constructor(reason: string) {
    super(code.hcnFailure, reason);
  }
}

/** Throws Unsuitable if experiments would affect others on a node without leftovers of probes. `adapter`: that of --adapter. */
export async function checkNode(
  adapter: string | undefined,
  { networks, endpoints }: Inventory,
  system: System,
): Promise<void> {
  const adapters = await readAdapters(system);
  if (hasProbeAddress(JSON.stringify([networks, endpoints, adapters])))
    throw new Unsuitable('this node uses addresses in 198.18.0.0/15, which probe needs');
  const problem = adapter === undefined ? undefined : findAdapterProblem(adapter, adapters, networks);
  if (problem !== undefined) throw new Unsuitable(`adapter "${adapter}" ${problem}`);
}

/** Why networks on an adapter would affect others; undefined if they would not. */
function findAdapterProblem(
  name: string,
  adapters: readonly HostAdapter[],
  networks: Inventory['networks'],
): string | undefined {
  const isNamed = (alias: string) => alias.toLowerCase() === name.toLowerCase();
  const user = networks.find((network) => isNamed(boundAdapter(network) ?? ''));
  if (user !== undefined)
    return `is used by network "${user.Name}": the probe would affect its pods. Use another adapter`;
  const adapter = adapters.find(({ alias }) => isNamed(alias));
  if (adapter === undefined) return 'does not exist. Run Get-NetAdapter to list the adapters';
  if (adapter.gateways.length > 0)
    return "has a default gateway: the probe would interrupt the node's connections. Use another adapter";
  return isOfSwitch(adapter, adapters)
    ? 'belongs to a virtual switch, or has no address. Use another adapter'
    : undefined;
}

/** Whether an adapter is one of a virtual switch's, or below one: Windows then moves its addresses and its MAC address to the switch. */
function isOfSwitch({ alias, addresses, mac }: HostAdapter, adapters: readonly HostAdapter[]): boolean {
  const sharesMac = mac !== undefined && adapters.some((other) => other.alias !== alias && other.mac === mac);
  return /^vethernet \(/i.test(alias) || addresses.length === 0 || sharesMac;
}

/** The Windows of a node, as in `Windows Server 2022 Datacenter 20348.2402`. Never rejects: undefined if it could not be read. */
export async function readWindows(terminal: Pick<Terminal, 'powershell'>): Promise<string | undefined> {
  const fact = await runQuery(terminal, windowsQuery);
  return 'value' in fact ? fact.value : undefined;
}

const windowsQuery: Query<string> = {
  script: `
$windows = Get-ItemProperty -LiteralPath 'HKLM:\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion'
$text = '{0} {1}.{2}' -f $windows.ProductName, $windows.CurrentBuild, $windows.UBR
ConvertTo-Json -Compress @{ windows = $text }`,
  read: (output) => output.read('windows', 'a string'),
};
