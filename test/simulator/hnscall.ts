// HNSCall of vmcompute.dll: the V1 API with method, path and request, as far as win-hcn reads it.

import { HnsError } from './hresults.ts';
import { listed } from './query.ts';
import type { Json } from './schema/validate.ts';
import type { Kind, State } from './state.ts';
import { documentV1 } from './v1.ts';

const kinds: Readonly<Record<string, Kind>> = {
  '/networks': 'Network',
  '/endpoints': 'Endpoint',
  '/namespaces': 'Namespace',
  '/policylists': 'LoadBalancer',
};

/** Failures are returned as the HRESULT of HNSCall itself, as in newer builds. */
export function hnsCall(state: State, [method, path]: readonly (string | null)[]): string {
  if (method !== 'GET') throw new HnsError('HCN_E_REQUEST_UNSUPPORTED');
  return JSON.stringify({ Success: true, Output: answer(state, path ?? '') });
}

function answer(state: State, path: string): Json {
  if (path === '/globals/version') return { ...state.release.version };
  const kind = kinds[path];
  if (kind === undefined) throw new HnsError('HCN_E_REQUEST_UNSUPPORTED');
  return listed(state, kind).map((object) => documentV1(state, object));
}
