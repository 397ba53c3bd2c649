import { addressesIn, type ObservedEndpoint } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import { isOverlay } from '../../model/network-document.ts';
import { familyOf } from '../../net/address.ts';
import { endpointRow } from '../inventory/endpoint-row.ts';
import { addressesOf, type Destination, describeLocalDelivery } from '../traffic/destination.ts';
import type { CapturedEndpoint } from './command.ts';
import type { PredictedPath } from './compare-path.ts';
import type { FilteredTraffic, FilterRequest } from './filters.ts';
import type { FlowEnds } from './hops.ts';

/** The traffic to capture, and its predicted way. */
export interface CapturedTraffic {
  readonly endpoints: readonly CapturedEndpoint[];
  readonly request: FilterRequest;
  readonly ends: FlowEnds;
  /** Empty without a destination. */
  readonly paths: readonly PredictedPath[];
}

/** Predicts the possible ways of a packet from an endpoint. */
export type Predict = (endpoint: ObservedEndpoint, destination: Destination) => readonly PredictedPath[];

/** Finds the addresses of a pod's traffic, also after translations. Returns a problem if no traffic would leave the pod. */
export function capturedTraffic(
  endpoints: readonly ObservedEndpoint[],
  destination: Destination | undefined,
  inventory: Inventory,
  predict: Predict,
): CapturedTraffic | { readonly problem: string } {
  const family = destination === undefined ? undefined : familyOf(destination.address);
  const own = (endpoint: ObservedEndpoint) =>
    family === undefined ? addressesIn(endpoint) : addressesOf(endpoint, family);
  const using = endpoints.filter((endpoint) => own(endpoint).length > 0);
  const addresses = using.flatMap(own);
  if (addresses.length === 0)
    return { problem: `the pod has no ${family === undefined ? '' : `${family} `}address` };
  const local = destination === undefined ? undefined : describeLocalDelivery(destination.address, addresses);
  if (local !== undefined) return { problem: local.replace(/\.$/, '') };
  const paths = destination === undefined ? [] : using.flatMap((endpoint) => predict(endpoint, destination));
  const translated = destination === undefined ? [] : translations(paths, addresses, destination);
  return {
    endpoints: using.map((endpoint) => {
      const { network, macAddress } = endpointRow(endpoint, inventory);
      return { endpoint: endpoint.ID, network, addresses: own(endpoint), macAddress };
    }),
    request: {
      macAddress: using[0]?.MacAddress ?? '',
      addresses,
      ...(destination !== undefined && { destination }),
      translated,
      mayTranslate: paths.length === 0 || paths.some(({ outcome }) => outcome === 'unknown'),
      isOverlay: inventory.networks.some(
        (network) => isOverlay(network) && using.some((one) => one.HostComputeNetwork === network.ID),
      ),
    },
    ends: {
      local: unique([...addresses, ...translated.map(({ source }) => source)]),
      ...(destination !== undefined && {
        remote: unique([destination.address, ...translated.map((one) => one.destination)]),
      }),
    },
    paths,
  };
}

/** The addresses of the predicted packets that are not those of the packet that the pod sends. */
function translations(
  paths: readonly PredictedPath[],
  addresses: readonly string[],
  { address }: Destination,
): readonly FilteredTraffic[] {
  const packets = paths.flatMap(({ hops }) => hops.map(({ packet }) => packet));
  const found = packets
    .filter(({ source, destination }) => !addresses.includes(source) || destination !== address)
    .map(({ source, destination, destinationPort }) => ({
      source,
      destination,
      ...(destinationPort !== undefined && { port: destinationPort }),
    }));
  return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
}

function unique(list: readonly string[]): readonly string[] {
  return [...new Set(list)];
}
