import type { Kind } from './guid.ts';
import { type Guid, guidBytes } from './guid.ts';
import { isFailure } from './hresults.ts';
import type { Koffi } from './koffi.ts';
import type { ComputeNetworkLibrary, Handle, HcnResponse } from './library.ts';
import { call, type NativeFunction, type NativeLibrary, useLibrary } from './native-library.ts';

/**
 * Loads computenetwork.dll and checks that it has the functions for networks, endpoints and namespaces: a request must not fail in the
 * middle for a missing one. The first call of a function declares it; the first HNSCall also loads vmcompute.dll. `path` is a library that
 * replaces both; undefined means Windows' own libraries by full path. Throws HcnUnavailable if a library cannot be loaded or lacks a
 * function.
 * https://learn.microsoft.com/virtualization/api/hcn/reference/hcnreference
 */
export function loadComputeNetwork(path: string | undefined): ComputeNetworkLibrary {
  const { out, outHandle } = useLibrary('ole32.dll', path, outputParameters);
  useLibrary('computenetwork.dll', path, (library) => requireFunctions(library, requiredFunctions));

  const functions = new Map<string, NativeFunction>();
  const declare = (name: string, parameters: readonly unknown[], dll = 'computenetwork.dll') => {
    const declared =
      functions.get(name) ??
      useLibrary(dll, path, (library): NativeFunction => {
        requireFunctions(library, [name]);
        return library.func(name, 'int32', [...parameters] as never);
      });
    functions.set(name, declared);
    return declared;
  };
  const createParameters = ['void *', 'str16', outHandle, out];

  return {
    enumerate: async (kind, query) =>
      callForText(declare(`HcnEnumerate${kind}s`, ['str16', out, out]), [query]),
    create: async (kind, id, settings) =>
      callForHandle(kind, id, declare(`HcnCreate${kind}`, createParameters), [guidBytes(id), settings]),
    createEndpoint: async (network, id, settings) =>
      callForHandle('Endpoint', id, declare('HcnCreateEndpoint', ['void *', ...createParameters]), [
        network.pointer,
        guidBytes(id),
        settings,
      ]),
    open: async (kind, id) =>
      callForHandle(kind, id, declare(`HcnOpen${kind}`, ['void *', outHandle, out]), [guidBytes(id)]),
    query: async ({ kind, pointer }, query) =>
      callForText(declare(`HcnQuery${kind}Properties`, ['void *', 'str16', out, out]), [pointer, query]),
    modify: async ({ kind, pointer }, settings) =>
      callForNothing(declare(`HcnModify${kind}`, ['void *', 'str16', out]), [pointer, settings]),
    delete: async (kind, id) => callForNothing(declare(`HcnDelete${kind}`, ['void *', out]), [guidBytes(id)]),
    close: async ({ kind, pointer }) => ({
      hresult: await call(declare(`HcnClose${kind}`, ['void *']), [pointer]),
      value: undefined,
      errorRecord: undefined,
    }),
    hnsCall: async (...request) => {
      const hnsCall = declare('HNSCall', ['str16', 'str16', 'str16', out], 'vmcompute.dll');
      const response: Slot<string> = [null];
      const hresult = await call(hnsCall, [...request, response]);
      const value = response[0] ?? '';
      return { hresult, value, errorRecord: isFailure(hresult) ? value : undefined };
    },
  };
}

const requiredFunctions = ['Network', 'Endpoint', 'Namespace'].flatMap((kind) => [
  `HcnEnumerate${kind}s`,
  `HcnQuery${kind}Properties`,
  ...['Create', 'Open', 'Modify', 'Delete', 'Close'].map((verb) => `Hcn${verb}${kind}`),
]);

/** Looks up the functions without declaring them, which takes a sixth of the time. */
function requireFunctions(library: NativeLibrary, names: readonly string[]): void {
  for (const name of names) {
    try {
      library.symbol(name, 'void *');
    } catch (cause) {
      throw new Error(`it has no function ${name}. Update Windows; cmd /c ver shows its version`, { cause });
    }
  }
}

/** The types of output parameters: a string that koffi copies and frees, and a handle. */
function outputParameters(ole32: NativeLibrary, koffi: Koffi) {
  const text = koffi.disposable('str16', ole32.func('void CoTaskMemFree(void *block)'));
  return { out: koffi.out(koffi.pointer(text)), outHandle: koffi.out(koffi.pointer('void *')) };
}

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
