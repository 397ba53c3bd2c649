// The settings of a create call in V2: without a schema version they are V1.

import { HnsError } from './hresults.ts';
import { isObject, type JsonObject, parseObject } from './schema/validate.ts';
import type { Kind } from './state.ts';
import { endpointFromV1, namespaceFromV1, networkFromV1, policyListFromV1 } from './v1-input.ts';

export function documentIn(kind: Kind, text: string | null | undefined): JsonObject {
  const given = parseObject(text);
  const version = given['SchemaVersion'];
  const major = isObject(version) ? (version['Major'] ?? 1) : 1;
  if (major === 2) return given;
  if (major !== 1) throw new HnsError('HCN_E_INVALID_JSON');
  switch (kind) {
    case 'Network':
      return networkFromV1(given);
    case 'Endpoint':
      return endpointFromV1(given);
    case 'Namespace':
      return namespaceFromV1(given);
    case 'LoadBalancer':
      return policyListFromV1(given);
    case 'SdnRoute':
      throw new HnsError('HCN_E_INVALID_JSON');
  }
}
