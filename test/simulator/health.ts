// The member Health of query results.

import { v5 as uuidv5 } from 'uuid';
import type { JsonObject } from './schema/validate.ts';
import type { HnsObject } from './state.ts';

const resourcesNamespace = '8b3d1a52-90c4-4f7a-8f43-5d4e9f6b21c7';
const epoch = 11_644_473_600_000;

/** Converts to a FILETIME: units of 100 ns since 1601. */
function fileTime(milliseconds: number): number {
  return (milliseconds + epoch) * 10_000;
}

export function healthData(object: HnsObject): JsonObject {
  const code = object.kind === 'Endpoint' ? object.unhealthy?.lastErrorCode : undefined;
  return { LastErrorCode: code ?? 0, LastUpdateTime: fileTime(object.created) };
}

export function healthV2(object: HnsObject, sharedContainers: readonly string[] = []): JsonObject {
  const layers: JsonObject =
    object.kind === 'Network' ? { LayeredOn: object.switchId, SwitchGuid: object.switchId } : {};
  const shared: JsonObject = object.kind === 'Endpoint' ? { SharedContainers: sharedContainers } : {};
  return { Data: healthData(object), Extra: { Resources: resources(object), ...shared, ...layers } };
}

/** HNS lists allocators here, which no client reads. */
export function resources(object: HnsObject): JsonObject {
  return {
    AllocationOrder: 1,
    Health: healthData(object),
    ID: uuidv5(object.id, resourcesNamespace),
    State: 1,
  };
}
