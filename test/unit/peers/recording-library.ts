import type { ComputeNetworkLibrary } from '../../../src/hcn/library.ts';
import type { Sent } from './row.ts';

/** A library that forwards every call and records those that enumerate or change objects. */
export function recordingLibrary(
  library: ComputeNetworkLibrary,
  record: (sent: Sent) => void,
): ComputeNetworkLibrary {
  return {
    ...library,
    enumerate: (kind, query) => {
      record({ call: `HcnEnumerate${kind}s`, document: JSON.parse(query) });
      return library.enumerate(kind, query);
    },
    create: (kind, id, settings) => {
      record({ call: `HcnCreate${kind}`, id, document: JSON.parse(settings) });
      return library.create(kind, id, settings);
    },
    createEndpoint: (network, id, settings) => {
      record({ call: 'HcnCreateEndpoint', id, document: JSON.parse(settings) });
      return library.createEndpoint(network, id, settings);
    },
    modify: (handle, settings) => {
      record({ call: `HcnModify${handle.kind}`, document: JSON.parse(settings) });
      return library.modify(handle, settings);
    },
    delete: (kind, id) => {
      record({ call: `HcnDelete${kind}`, id });
      return library.delete(kind, id);
    },
  };
}
