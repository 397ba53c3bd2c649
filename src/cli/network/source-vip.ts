import { CniError, code } from '../../cni/error.ts';
import type { CommandContext } from '../../commands/command-context.ts';
import { readIpamType, sourceVipHolder } from '../../config/essential-keys.ts';
import type { HcnReader } from '../../hcn/client.ts';
import { addressesIn } from '../../hcn/documents.ts';
import { isRefusal } from '../../hcn/errors.ts';
import { foldKeys, type JsonObject } from '../../json/members.ts';
import { sourceVipId, sourceVipName } from '../../model/identity.ts';
import { providerAddressOf } from '../../model/network-document.ts';
import { isRemote } from '../../model/ownership.ts';
import { isAttached } from '../../model/readiness.ts';
import { families, familyOf } from '../../net/address.ts';
import { parsePrefix } from '../../net/prefix.ts';
import type { Assignment } from '../../plan/endpoint-addresses.ts';
import { nodeMac, sourceVipDocument } from '../../plan/host-endpoint.ts';
import type { IdentifiedNetwork } from '../../plan/network-plan.ts';
import { newStepTargets } from '../../plugin/command-context.ts';
import { findEndpointByKey } from '../../steps/find-endpoints.ts';
import { addressOfAdapter } from '../../steps/preview.ts';
import type { System } from '../../system.ts';
import { readConfigFile } from '../conflist/config-file.ts';
import { pluginsIn } from '../conflist/plugin-list.ts';
import { findStore, readReservations } from '../gc/reservations.ts';
import { defaultCniPath, withoutCniVariables } from '../plugin/run-plugin.ts';
import type { Session } from '../terminal/session.ts';

/** `--cni-path`. */
export interface CniPathFlag {
  readonly cniPath?: string;
}

/**
 * Gives a network its source VIP if it has none: reserves an address, unless `reserved` is given, and creates the endpoint. Returns the
 * address. Keeps what exists, also the endpoint that kube-proxy created for the reserved address.
 */
export async function ensureSourceVip(
  network: IdentifiedNetwork,
  reserved: string | undefined,
  context: CommandContext,
): Promise<string> {
  const { hcn, changes } = context;
  const existing = await findSourceVip(network, reserved, hcn);
  if (existing !== undefined) return existing;
  const address = reserved ?? (await reserve(context));
  const document = sourceVipDocument(network, address, await findMac(network, context));
  const id = sourceVipId(network.Name);
  try {
    await changes.apply({ do: 'create endpoint', network: network.ID, id, document });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const other = await findSourceVip(network, address, hcn);
    if (other === undefined || (address !== undefined && other !== address)) throw error;
    return other;
  }
  const created = await findEndpointByKey({ id, name: document.Name }, hcn);
  return address ?? (created && addressesIn(created)[0]) ?? '';
}

/** The address of the network's source VIP, or of the endpoint that kube-proxy created for the reserved address. */
async function findSourceVip(
  { ID, Name }: IdentifiedNetwork,
  reserved: string | undefined,
  hcn: HcnReader,
): Promise<string | undefined> {
  const named = await findEndpointByKey({ id: sourceVipId(Name), name: sourceVipName(Name) }, hcn);
  if (named?.HostComputeNetwork === ID) return addressesIn(named)[0];
  if (reserved === undefined) return undefined;
  for (const id of await hcn.findEndpointsOfNetwork(ID)) {
    const endpoint = await hcn.findEndpoint(id);
    const isFree = endpoint !== undefined && !isAttached(endpoint) && !isRemote(endpoint);
    if (isFree && addressesIn(endpoint).includes(reserved)) return reserved;
  }
  return undefined;
}

/** The address that the IPAM plugin assigns; undefined without one. */
async function reserve({ changes, locateIpam }: CommandContext): Promise<string | undefined> {
  const plugin = locateIpam()?.type;
  if (plugin === undefined) return undefined;
  return firstAddress(await changes.apply({ do: 'assign addresses', plugin }));
}

/** kube-proxy has one source VIP, and no dual stack on Overlay networks. */
function firstAddress({ ips }: NonNullable<Assignment>): string | undefined {
  const addresses = ips.map(({ address }) => parsePrefix(address)?.address ?? address);
  return families.flatMap((family) => addresses.filter((address) => familyOf(address) === family))[0];
}

/** A preview does not know the provider address of a network that does not exist yet. */
async function findMac(
  network: IdentifiedNetwork,
  { ipHelper }: Pick<CommandContext, 'ipHelper'>,
): Promise<string | undefined> {
  const provider = providerAddressOf(network);
  if (provider === addressOfAdapter) return undefined;
  const mac = nodeMac(network, await ipHelper.readAdapters());
  if (mac !== undefined) return mac;
  throw new CniError(
    code.tryAgainLater,
    `no interface of the node has the provider address of network "${network.Name}" (${provider ?? 'none'}), whose MAC address the source VIP needs`,
    { details: 'check Get-NetIPAddress' },
  );
}

/**
 * The system in which the IPAM plugin runs for the source VIP: always for the same container and interface, so that there is one
 * reservation for each network.
 */
export function sourceVipSystem(system: System, { cniPath = defaultCniPath(system) }: CniPathFlag): System {
  const { containerID, ifname } = sourceVipHolder;
  const environment = {
    ...withoutCniVariables(system.environment),
    CNI_PATH: cniPath,
    CNI_CONTAINERID: containerID,
    CNI_NETNS: containerID,
    CNI_IFNAME: ifname,
  };
  return { ...system, environment };
}

/** The address that host-local has reserved for the source VIP of a configuration's network; undefined also for another IPAM plugin. */
export function reservedSourceVip(config: JsonObject, session: Session): string | undefined {
  const store = findStore(config, session);
  if (store === undefined) return undefined;
  const { containerID, ifname } = sourceVipHolder;
  return readReservations(store, session).reservations.find(
    (one) => one.container === containerID && one.interface === ifname,
  )?.address;
}

/** The IPAM plugin that releases the source VIP of a configuration file; undefined if it has no source VIP, or no IPAM plugin. */
export function readSourceVipRelease(file: string, flags: CniPathFlag, session: Session) {
  const { value } = readConfigFile(session.read(file));
  const config = pluginsIn(value, session.system.executable).find(
    (one) => one.ours && foldKeys(one.config)['sourcevip'] === true,
  )?.config;
  const plugin = config && readIpamType(config);
  if (config === undefined || plugin === undefined) return undefined;
  const system = sourceVipSystem(session.system, flags);
  const targets = newStepTargets('DEL', config, JSON.stringify(config), system, () => undefined);
  return { plugin, targets };
}
