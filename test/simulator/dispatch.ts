// Dispatches the functions of computenetwork.dll and vmcompute.dll.

import { createEndpoint, modifyEndpoint, requireDetached } from './endpoints.ts';
import { isIpHelper, type ObjectFunction, objectFunctions } from './functions.ts';
import type { Handles } from './handles.ts';
import { hnsCall } from './hnscall.ts';
import { HnsError } from './hresults.ts';
import { ipHelperCall } from './ip-helper.ts';
import { createLoadBalancer, modifyLoadBalancer } from './load-balancers.ts';
import { modifyNetwork } from './modify-network.ts';
import { createNamespace, modifyNamespace } from './namespaces.ts';
import { createNetwork } from './networks.ts';
import { chosenId, idIn, zeroGuid } from './object-id.ts';
import { findObject, removeObject } from './objects.ts';
import { describe, listed, listIds, readQuery } from './query.ts';
import { isObject, type JsonObject, parseObject } from './schema/validate.ts';
import type { HnsObject, Kind, State } from './state.ts';
import type { AnswerFrame, CallFrame } from './wire.ts';

export function dispatch(state: State, handles: Handles, call: CallFrame): Omit<AnswerFrame, 'hresult'> {
  switch (call.function) {
    case 'HNSCall':
      return { value: hnsCall(state, call.strings) };
    default: {
      if (isIpHelper(call.function)) return { value: ipHelperCall(state, call) };
      const found = objectFunctions.get(call.function);
      if (!found) throw new HnsError('E_NOTIMPL');
      return perform(state, handles, call, found);
    }
  }
}

function perform(
  state: State,
  handles: Handles,
  call: CallFrame,
  { verb, kind }: ObjectFunction,
): Omit<AnswerFrame, 'hresult'> {
  const [text] = call.strings;
  switch (verb) {
    case 'Enumerate':
      return { value: listIds(state, listed(state, kind), readQuery(state, text)) };
    case 'Create':
      return { handle: handles.open(call.client, create(state, handles, call, kind)) };
    case 'Open':
      return { handle: handles.open(call.client, findObject(state, kind, call.guid ?? '')) };
    case 'Modify':
      modify(state, handles, call, kind);
      return {};
    case 'Query': {
      const object = handles.find(state, call.handle, kind);
      return { value: describe(state, object, readQuery(state, text)) };
    }
    case 'Delete':
      if (kind === 'Endpoint') requireDetached(state, call.guid ?? '');
      removeObject(state, kind, call.guid ?? '');
      return {};
    case 'Close':
      handles.close(call.handle, kind);
      return {};
  }
}

function create(state: State, handles: Handles, call: CallFrame, kind: Kind): HnsObject {
  const network = kind === 'Endpoint' ? handles.find(state, call.handle, 'Network') : undefined;
  const settings = newDocument(call.strings[0], kind);
  const id = chosenId(state, kind) ?? requestedId(state, call, settings);
  if (network) return createEndpoint(state, network, id, settings);
  switch (kind) {
    case 'Network':
      return createNetwork(state, id, settings);
    case 'Namespace':
      return createNamespace(state, id, settings);
    case 'LoadBalancer':
      return createLoadBalancer(state, id, settings);
    case 'Endpoint':
      throw new HnsError('E_INVALIDARG');
  }
}

/** Clients of the older API create objects with V1 documents; win-hcn does not. containerd creates namespaces with version 0.0. */
function newDocument(text: string | null | undefined, kind: Kind): JsonObject {
  const given = parseObject(text);
  const { SchemaVersion: version } = given;
  const accepted = kind === 'Namespace' ? [0, 2] : [2];
  if (!isObject(version) || !accepted.includes(Number(version['Major'])))
    throw new HnsError('HCN_E_INVALID_JSON');
  return given;
}

/** Returns the id passed as argument, unless the variant prefers the document's; undefined for GUID_NULL. */
function requestedId(state: State, call: CallFrame, settings: JsonObject): string | undefined {
  const documentWins = state.release.switches.idConflict === 'document' && idIn(settings) !== undefined;
  return documentWins || call.guid === zeroGuid ? undefined : call.guid;
}

function modify(state: State, handles: Handles, call: CallFrame, kind: Kind): void {
  const object: HnsObject = handles.find(state, call.handle, kind);
  const settings = parseObject(call.strings[0]);
  switch (object.kind) {
    case 'Network':
      modifyNetwork(state, object, settings);
      break;
    case 'Endpoint':
      modifyEndpoint(state, object, settings);
      break;
    case 'Namespace':
      modifyNamespace(state, object, settings);
      break;
    case 'LoadBalancer':
      modifyLoadBalancer(state, object, settings);
      break;
  }
}
