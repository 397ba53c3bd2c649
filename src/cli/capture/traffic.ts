import { addressesIn, type ObservedEndpoint } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import { isOverlay } from '../../model/network-document.ts';
import { familyOf } from '../../net/address.ts';
import { endpointRow } from '../inventory/endpoint-row.ts';
import { addressesOf, type Destination, describeLocalDelivery } from '../traffic/destination.ts';
import type { PredictedPath } from './compare-path.ts';
import type { FilteredTraffic, FilterRequest } from './filters.ts';
import type { FlowEnds } from './hops.ts';
import type { CapturedEndpoint } from './report.ts';

/** The traffic to capture, and its predicted paths. */
export interface CapturedTraffic {
  readonly endpoints: readonly CapturedEndpoint[];
  readonly request: FilterRequest;
  readonly ends: FlowEnds;
  /** Empty without a destination. */
  readonly paths: readonly PredictedPath[];
}

/** Predicts the possible paths of a packet from an endpoint. */
export type Predict = (endpoint: ObservedEndpoint, destination: Destination) => readonly PredictedPath[];

/** A packet's sender and destination, with its predicted paths. */
interface Flow {
  readonly source: string;
  readonly destination: Destination;
  readonly paths: readonly PredictedPath[];
}

/**
 * Finds the addresses of a pod's traffic, also after translations; `destinations` is absent for all of it. Returns a problem if no traffic
 * would leave the pod.
 */
export function capturedTraffic(
  endpoints: readonly ObservedEndpoint[],
  destinations: readonly Destination[] | undefined,
  inventory: Inventory,
  predict: Predict,
): CapturedTraffic | { readonly problem: string } {
  const own = (endpoint: ObservedEndpoint) =>
    addressesIn(endpoint).filter(
      (one) => destinations?.some(({ address }) => familyOf(address) === familyOf(one)) ?? true,
    );
  const using = endpoints.filter((endpoint) => own(endpoint).length > 0);
  const addresses = using.flatMap(own);
  if (addresses.length === 0) return { problem: noAddress(destinations) };
  const local = destinations?.map(({ address }) => describeLocalDelivery(address, addresses)).find(Boolean);
  if (local !== undefined) return { problem: local.replace(/\.$/, '') };
  const flows = destinations && flowsOf(using, destinations, predict);
  const traffic = flows && unique(flows.flatMap(trafficOf));
  return {
    endpoints: using.map((endpoint) => {
      const { network, macAddress } = endpointRow(endpoint, inventory);
      return { endpoint: endpoint.ID, network, addresses: own(endpoint), macAddress };
    }),
    request: {
      macAddress: using[0]?.MacAddress ?? '',
      addresses,
      ...(traffic !== undefined && { traffic }),
      anySource: unique((flows ?? []).filter(mayTranslate).map(({ destination }) => destination)),
      isOverlay: inventory.networks.some(
        (network) => isOverlay(network) && using.some((one) => one.HostComputeNetwork === network.ID),
      ),
    },
    ends: {
      local: unique([...addresses, ...(traffic ?? []).map(({ source }) => source)]),
      ...(traffic !== undefined && { remote: unique(traffic.map(({ destination }) => destination)) }),
    },
    paths: (flows ?? []).flatMap(({ paths }) => paths),
  };
}

function noAddress(destinations: readonly Destination[] | undefined): string {
  const families = unique((destinations ?? []).map(({ address }) => familyOf(address)));
  return `the pod has no ${families.map((family) => `${family} `).join('or ')}address`;
}

function flowsOf(
  endpoints: readonly ObservedEndpoint[],
  destinations: readonly Destination[],
  predict: Predict,
): readonly Flow[] {
  return endpoints.flatMap((endpoint) =>
    destinations.flatMap((destination) => {
      const sources = addressesOf(endpoint, familyOf(destination.address));
      const paths = sources.length === 0 ? [] : predict(endpoint, destination);
      return sources.map((source) => ({ source, destination, paths }));
    }),
  );
}

/** The packet as the pod sends it, and as the predicted hops translate it. */
function trafficOf({ source, destination, paths }: Flow): readonly FilteredTraffic[] {
  const { address, protocol, port } = destination;
  const about = protocol === undefined ? {} : { protocol };
  const direct = { source, destination: address, ...about, ...(port !== undefined && { port }) };
  const translated = paths
    .flatMap(({ hops }) => hops.map(({ packet }) => packet))
    .map((packet) => ({
      source: packet.source,
      destination: packet.destination,
      ...about,
      ...(packet.destinationPort !== undefined && { port: packet.destinationPort }),
    }));
  return [direct, ...translated];
}

function mayTranslate({ paths }: Flow): boolean {
  return paths.length === 0 || paths.some(({ outcome }) => outcome === 'unknown');
}

/** The different values of a list. */
function unique<T>(list: readonly T[]): readonly T[] {
  return [...new Map(list.map((one) => [JSON.stringify(one), one])).values()];
}
