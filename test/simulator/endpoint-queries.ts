// HcnQueryEndpointStats and HcnQueryEndpointAddresses; the statistics are those of an idle endpoint.

import type { IpConfig } from './documents.ts';
import type { JsonObject } from './schema/validate.ts';
import type { EndpointObject } from './state.ts';

export function endpointStats(endpoint: EndpointObject): JsonObject {
  return {
    BytesReceived: 0,
    BytesSent: 0,
    DroppedPacketsIncoming: 0,
    DroppedPacketsOutgoing: 0,
    EndpointId: endpoint.id.toUpperCase(),
    InstanceId: endpoint.id.toUpperCase(),
    PacketsReceived: 0,
    PacketsSent: 0,
  };
}

export function endpointAddresses(endpoint: EndpointObject): readonly IpConfig[] {
  return endpoint.document.IpConfigurations;
}
