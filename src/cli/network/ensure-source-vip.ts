import { CniError, code } from '../../cni/error.ts';
import type { CommandContext } from '../../commands/command-context.ts';
import { raceMilliseconds } from '../../commands/network.ts';
import type { HcnReader } from '../../hcn/client.ts';
import { addressesIn, type ObservedEndpoint } from '../../hcn/documents.ts';
import { isRefusal } from '../../hcn/errors.ts';
import { sourceVipId, sourceVipName } from '../../model/identity.ts';
import { providerAddressOf } from '../../model/network-document.ts';
import { isRemote } from '../../model/ownership.ts';
import { isAttached } from '../../model/readiness.ts';
import { families, familyOf } from '../../net/address.ts';
import { parsePrefix } from '../../net/prefix.ts';
import type { Assignment } from '../../plan/endpoint-addresses.ts';
import { nodeMac, sourceVipDocument } from '../../plan/host-endpoint.ts';
import type { IdentifiedNetwork } from '../../plan/network-plan.ts';
import { poll } from '../../steps/changes.ts';
import { findEndpointByKey } from '../../steps/find-endpoints.ts';
import { addressOfAdapter } from '../../steps/preview.ts';
import type { ReservedSourceVip } from './source-vip-ipam.ts';

/**
 * Gives a network its source VIP if it has none: reserves an address and creates the endpoint. Keeps what exists, also the endpoint
 * that kube-proxy created for the reserved address. Reserves the address of an existing endpoint again if host-local lost it.
 */
export async function ensureSourceVip(
  network: IdentifiedNetwork,
  reserved: ReservedSourceVip,
  context: CommandContext,
): Promise<string> {
  const { hcn, changes } = context;
  const reservedAddress = reserved.is === 'reserved' ? reserved.address : undefined;
  const found = await findSourceVip(network, reservedAddress, hcn);
  const existing = found && addressesIn(found)[0];
  if (found !== undefined && existing !== undefined) {
    if (reserved.is === 'absent') await reserveAgain(existing, found, context);
    return existing;
  }
  const address = reservedAddress ?? (await reserve(network, context));
  const mac = await findMac(network, context);
  const document = sourceVipDocument(network, address, mac);
  const id = sourceVipId(network.Name);
  try {
    await changes.apply({ do: 'create endpoint', network: network.ID, id, document });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const other = await findSourceVip(network, address, hcn);
    const shared = other && addressesIn(other)[0];
    if (shared === undefined || (address !== undefined && shared !== address)) throw error;
    return shared;
  }
  const created = await findEndpointByKey({ id, name: document.Name }, hcn);
  return address ?? (created && addressesIn(created)[0]) ?? '';
}

/** The network's source VIP, or the endpoint that kube-proxy created for the reserved address. */
export async function findSourceVip(
  { ID, Name }: IdentifiedNetwork,
  reserved: string | undefined,
  hcn: HcnReader,
): Promise<ObservedEndpoint | undefined> {
  const named = await findEndpointByKey({ id: sourceVipId(Name), name: sourceVipName(Name) }, hcn);
  if (named?.HostComputeNetwork === ID) return named;
  if (reserved === undefined) return undefined;
  for (const id of await hcn.findEndpointsOfNetwork(ID)) {
    const endpoint = await hcn.findEndpoint(id);
    const isFree = endpoint !== undefined && !isAttached(endpoint) && !isRemote(endpoint);
    if (isFree && addressesIn(endpoint).includes(reserved)) return endpoint;
  }
  return undefined;
}

/**
 * The reserved address; undefined without IPAM plugin, which refuses to repeat a reservation. Another run at the same time may need it: the
 * endpoint on `network` follows. Otherwise an earlier run left it: releases it and tries once more.
 */
async function reserve(
  network: IdentifiedNetwork | undefined,
  context: CommandContext,
): Promise<string | undefined> {
  const { changes, hcn } = context;
  const plugin = context.locateIpam()?.type;
  if (plugin === undefined) return undefined;
  const assign = { do: 'assign addresses', plugin } as const;
  try {
    return firstAddress(await changes.apply(assign));
  } catch (error) {
    const findOther = async () => network && findSourceVip(network, undefined, hcn);
    const other = await poll(context, raceMilliseconds, findOther);
    if (other !== undefined) return addressesIn(other)[0];
    await changes.apply({ do: 'release addresses', plugin }).catch(() => {
      throw error;
    });
    changes.keep(assign);
    return firstAddress(await changes.apply(assign));
  }
}

async function reserveAgain(
  address: string,
  { ID: id, Name: name }: ObservedEndpoint,
  context: CommandContext,
): Promise<void> {
  const assigned = await reserve(undefined, context);
  if (assigned === undefined || assigned === address) return;
  throw new CniError(
    code.ipamFailure,
    `the IPAM plugin reserved ${assigned} for the source VIP, but endpoint "${name}" has ${address}`,
    {
      details: `win-hcn debug endpoint delete ${id} --yes deletes the endpoint; then run this command again`,
    },
  );
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
