// The member Health of query results.

import { v5 as uuidv5 } from 'uuid';
import { isRemote } from './documents.ts';
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

export function resources(object: HnsObject): JsonObject {
  const local = object.kind !== 'Endpoint' || !isRemote(object.document);
  return {
    AdditionalParams: {},
    AllocationOrder: 1,
    Allocators: [
      {
        AllocationOrder: 0,
        Health: healthData(object),
        ID: part(object, 'allocator'),
        IsLocal: local,
        State: 3,
      },
    ],
    Health: healthData(object),
    ID: part(object, 'resources'),
    PortOperationTime: 0,
    State: 1,
    SwitchOperationTime: 0,
    VfpOperationTime: 0,
    parentId: part(object, 'parent'),
  };
}

const parts = new WeakMap<HnsObject, Map<string, string>>();

function part(object: HnsObject, name: string): string {
  const known = parts.get(object) ?? new Map<string, string>();
  parts.set(object, known);
  const id = known.get(name) ?? uuidv5(`${object.id} ${name}`, resourcesNamespace).toUpperCase();
  known.set(name, id);
  return id;
}
