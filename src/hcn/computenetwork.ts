import { type Guid, guidBytes } from './guid.ts';
import { isFailure } from './hresults.ts';
import type { Koffi } from './koffi.ts';
import type { ComputeNetworkLibrary, Handle, HcnResponse, Kind } from './library.ts';
import { call, type NativeFunction, type NativeLibrary, useLibrary } from './native-library.ts';

/**
 * Binds computenetwork.dll, and vmcompute.dll with the first HNSCall. `path` is a library that replaces both; undefined means
 * Windows' own libraries by full path. Throws HcnUnavailable if a library cannot be loaded.
 * https://learn.microsoft.com/virtualization/api/hcn/reference/hcnreference
 */
export function loadComputeNetwork(path: string | undefined): ComputeNetworkLibrary {
  return useLibrary('computenetwork.dll', path, (computenetwork, koffi) =>
    useLibrary('ole32.dll', path, (ole32) =>
      bindFunctions(koffi, {
        computenetwork,
        bindVmcompute: (bind) => useLibrary('vmcompute.dll', path, bind),
        ole32,
      }),
    ),
  );
}

/** The libraries with HCN's functions, with HNSCall (bound on demand) and with CoTaskMemFree. */
interface Libraries {
  readonly computenetwork: NativeLibrary;
  readonly bindVmcompute: <T>(bind: (library: NativeLibrary) => T) => T;
  readonly ole32: NativeLibrary;
}

function bindFunctions(
  koffi: Koffi,
  { computenetwork, bindVmcompute, ole32 }: Libraries,
): ComputeNetworkLibrary {
  const free = ole32.func('void CoTaskMemFree(void *block)');
  const pwstr = koffi.disposable('str16', free);
  const out = koffi.out(koffi.pointer(pwstr));
  const outHandle = koffi.out(koffi.pointer('void *'));

  const define = (name: string, parameters: readonly unknown[]): NativeFunction =>
    computenetwork.func(name, 'int32', [...parameters] as never) as NativeFunction;
  const bind = (kind: Kind, parent: readonly unknown[]): Functions => ({
    enumerate: define(`HcnEnumerate${kind}s`, ['str16', out, out]),
    create: define(`HcnCreate${kind}`, [...parent, 'void *', 'str16', outHandle, out]),
    open: define(`HcnOpen${kind}`, ['void *', outHandle, out]),
    query: define(`HcnQuery${kind}Properties`, ['void *', 'str16', out, out]),
    modify: define(`HcnModify${kind}`, ['void *', 'str16', out]),
    delete: define(`HcnDelete${kind}`, ['void *', out]),
    close: define(`HcnClose${kind}`, ['void *']),
  });
  const functions: Readonly<Record<Kind, Functions>> = {
    Network: bind('Network', []),
    Endpoint: bind('Endpoint', ['void *']),
    Namespace: bind('Namespace', []),
    LoadBalancer: bind('LoadBalancer', []),
  };

  let hnsCall: NativeFunction | undefined;

  return {
    enumerate: (kind, query) => callForText(functions[kind].enumerate, [query]),
    create: (kind, id, settings) => callForHandle(kind, id, functions[kind].create, [idBuffer(id), settings]),
    createEndpoint: (network, id, settings) =>
      callForHandle('Endpoint', id, functions.Endpoint.create, [network.pointer, idBuffer(id), settings]),
    open: (kind, id) => callForHandle(kind, id, functions[kind].open, [idBuffer(id)]),
    query: (handle, query) => callForText(functions[handle.kind].query, [handle.pointer, query]),
    modify: (handle, settings) => callForNothing(functions[handle.kind].modify, [handle.pointer, settings]),
    delete: (kind, id) => callForNothing(functions[kind].delete, [idBuffer(id)]),
    close: async (handle) => ({
      hresult: await call(functions[handle.kind].close, [handle.pointer]),
      value: undefined,
      errorRecord: undefined,
    }),
    hnsCall: async (...request) => {
      hnsCall ??= bindVmcompute(
        (library) => library.func('HNSCall', 'int32', ['str16', 'str16', 'str16', out]) as NativeFunction,
      );
      const response: Slot<string> = [null];
      const hresult = await call(hnsCall, [...request, response]);
      const value = response[0] ?? '';
      return { hresult, value, errorRecord: isFailure(hresult) ? value : undefined };
    },
  };
}

type Functions = Readonly<
  Record<'enumerate' | 'create' | 'open' | 'query' | 'modify' | 'delete' | 'close', NativeFunction>
>;

/** A call's output parameter: a string or a handle, null until the call sets it. */
type Slot<T> = [T | null];

async function callForText(
  native: NativeFunction,
  parameters: readonly unknown[],
): Promise<HcnResponse<string>> {
  const text: Slot<string> = [null];
  const errorRecord: Slot<string> = [null];
  const hresult = await call(native, [...parameters, text, errorRecord]);
  return { hresult, value: text[0] ?? '', errorRecord: errorRecord[0] ?? undefined };
}

async function callForHandle<K extends Kind>(
  kind: K,
  id: Guid<K>,
  native: NativeFunction,
  parameters: readonly unknown[],
): Promise<HcnResponse<Handle<K>>> {
  const pointer: Slot<unknown> = [null];
  const errorRecord: Slot<string> = [null];
  const hresult = await call(native, [...parameters, pointer, errorRecord]);
  return { hresult, value: { kind, id, pointer: pointer[0] }, errorRecord: errorRecord[0] ?? undefined };
}

async function callForNothing(native: NativeFunction, parameters: readonly unknown[]): Promise<HcnResponse> {
  const errorRecord: Slot<string> = [null];
  const hresult = await call(native, [...parameters, errorRecord]);
  return { hresult, value: undefined, errorRecord: errorRecord[0] ?? undefined };
}

function idBuffer(id: Guid): Buffer {
  return Buffer.from(guidBytes(id));
}
