import { HcnUnusable } from './errors.ts';
import { type Guid, guidBytes } from './guid.ts';
import { type Koffi, loadKoffi } from './koffi.ts';
import type { Answer, ComputeNetworkLibrary, Handle, Kind } from './library.ts';

/**
 * Binds computenetwork.dll, or a library elsewhere that exports the same functions.
 * `path` is the library's; undefined means Windows' own, by full path. Throws HcnUnusable when it cannot be loaded.
 * https://learn.microsoft.com/virtualization/api/hcn/reference/hcnreference
 */
export function loadComputeNetwork(path: string | undefined): ComputeNetworkLibrary {
  let loading: string | undefined;
  try {
    const koffi = loadKoffi();
    const system = path === undefined ? systemDirectory(koffi) : undefined;
    loading = path ?? `${system}\\computenetwork.dll`;
    const library = koffi.load(loading);
    return bindLibrary(koffi, library, system === undefined ? library : koffi.load(`${system}\\ole32.dll`));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new HcnUnusable(
      loading === undefined ? reason : `cannot load ${loading}: ${reason}`,
      loading,
      cause,
    );
  }
}

/** `allocator` is the library with CoTaskMemFree. */
function bindLibrary(koffi: Koffi, library: LibraryHandle, allocator: LibraryHandle): ComputeNetworkLibrary {
  const free = allocator.func('void CoTaskMemFree(void *block)');
  const pwstr = koffi.disposable('str16', free);
  const out = koffi.out(koffi.pointer(pwstr));
  const outHandle = koffi.out(koffi.pointer('void *'));

  const define = (name: string, parameters: readonly unknown[]): NativeFunction =>
    library.func(name, 'int32', [...parameters] as never) as NativeFunction;
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

  return {
    enumerate: (kind, query) => callForText(functions[kind].enumerate, [query]),
    create: (kind, id, settings) => callForHandle(kind, functions[kind].create, [idBuffer(id), settings]),
    createEndpoint: (network, id, settings) =>
      callForHandle('Endpoint', functions.Endpoint.create, [network.pointer, idBuffer(id), settings]),
    open: (kind, id) => callForHandle(kind, functions[kind].open, [idBuffer(id)]),
    query: (handle, query) => callForText(functions[handle.kind].query, [handle.pointer, query]),
    modify: (handle, settings) => callForNothing(functions[handle.kind].modify, [handle.pointer, settings]),
    delete: (kind, id) => callForNothing(functions[kind].delete, [idBuffer(id)]),
    close: async (handle) => ({
      hresult: await call(functions[handle.kind].close, [handle.pointer]),
      value: undefined,
      errorRecord: undefined,
    }),
  };
}

type LibraryHandle = ReturnType<Koffi['load']>;

type Functions = Readonly<
  Record<'enumerate' | 'create' | 'open' | 'query' | 'modify' | 'delete' | 'close', NativeFunction>
>;

/** A native function of koffi's: its last argument gets the outcome of a call on another thread. */
interface NativeFunction {
  async(...parameters: readonly unknown[]): void;
}

/** Where a call puts a string or a handle; null until it does. */
type Slot<T> = [T | null];

async function callForText(native: NativeFunction, parameters: readonly unknown[]): Promise<Answer<string>> {
  const text: Slot<string> = [null];
  const errorRecord: Slot<string> = [null];
  const hresult = await call(native, [...parameters, text, errorRecord]);
  return { hresult, value: text[0] ?? '', errorRecord: errorRecord[0] ?? undefined };
}

async function callForHandle<K extends Kind>(
  kind: K,
  native: NativeFunction,
  parameters: readonly unknown[],
): Promise<Answer<Handle<K>>> {
  const pointer: Slot<unknown> = [null];
  const errorRecord: Slot<string> = [null];
  const hresult = await call(native, [...parameters, pointer, errorRecord]);
  return { hresult, value: { kind, pointer: pointer[0] }, errorRecord: errorRecord[0] ?? undefined };
}

async function callForNothing(native: NativeFunction, parameters: readonly unknown[]): Promise<Answer> {
  const errorRecord: Slot<string> = [null];
  const hresult = await call(native, [...parameters, errorRecord]);
  return { hresult, value: undefined, errorRecord: errorRecord[0] ?? undefined };
}

/** The unsigned HRESULT of a call, which rejects only when koffi cannot make it. */
function call(native: NativeFunction, parameters: readonly unknown[]): Promise<number> {
  return new Promise((resolve, reject) => {
    native.async(...parameters, (error: unknown, hresult: number) =>
      error === null || error === undefined ? resolve(hresult >>> 0) : reject(error),
    );
  });
}

function idBuffer(id: Guid): Buffer {
  return Buffer.from(guidBytes(id));
}

/** `C:\Windows\System32`, from Windows itself: environment variables can be set by anyone. */
function systemDirectory(koffi: Koffi): string {
  const query = koffi
    .load('kernel32.dll')
    .func('uint32 GetSystemDirectoryW(_Out_ uint16 *buffer, uint32 size)');
  const buffer = new Uint16Array(260);
  const length: number = query(buffer, buffer.length);
  return String.fromCharCode(...buffer.subarray(0, length));
}
