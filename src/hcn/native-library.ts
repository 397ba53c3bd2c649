import { errorMessage } from '../cni/error.ts';
import { HcnUnavailable } from './errors.ts';
import { type Koffi, loadKoffi } from './koffi.ts';

/** A loaded DLL. */
export type NativeLibrary = ReturnType<Koffi['load']>;

/** A koffi function. It runs on another thread and passes its result to the last argument. */
export interface NativeFunction {
  async(...parameters: readonly unknown[]): void;
}

let koffi: Koffi | undefined;

/**
 * Loads Windows' own library of this name by full path, or the one at `path`, and returns what `bind` returns. Throws HcnUnavailable
 * if the library cannot be loaded or lacks a function.
 */
export function useLibrary<T>(
  name: string,
  path: string | undefined,
  bind: (library: NativeLibrary, koffi: Koffi) => T,
): T {
  let loading: string | undefined;
  try {
    koffi ??= restrictSearch(loadKoffi());
    loading = path ?? `${systemDirectory(koffi)}\\${name}`;
    return bind(koffi.load(loading), koffi);
  } catch (cause) {
    if (cause instanceof HcnUnavailable) throw cause;
    const reason = errorMessage(cause);
    const message = loading === undefined ? reason : `cannot load ${loading}: ${reason}`;
    throw new HcnUnavailable(message, loading, cause);
  }
}

/**
 * Makes Windows search the dependencies of libraries in System32 only, and not in the exe's folder.
 * https://learn.microsoft.com/windows/win32/api/libloaderapi/nf-libloaderapi-setdefaultdlldirectories
 */
function restrictSearch(koffi: Koffi): Koffi {
  if (process.platform !== 'win32') return koffi;
  const searchSystem32 = 0x800;
  koffi.load('kernel32.dll').func('int SetDefaultDllDirectories(uint32 flags)')(searchSystem32);
  return koffi;
}

/**
 * Ends this process immediately, even with hanging calls, for which `process.exit` would wait. Does nothing if koffi cannot be loaded.
 * https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-terminateprocess
 */
export function endProcess(exitCode: number): void {
  let native: Koffi;
  try {
    native = koffi ?? loadKoffi();
  } catch {
    return;
  }
  if (process.platform === 'win32') {
    const ownProcess = -1;
    const terminate = native.load('kernel32.dll').func('int TerminateProcess(intptr_t process, uint32 code)');
    terminate(ownProcess, exitCode);
  } else native.load(null).func('void _exit(int status)')(exitCode);
}

/** Returns the unsigned result of a native call. Rejects only if koffi cannot make the call. */
export function call(native: NativeFunction, parameters: readonly unknown[]): Promise<number> {
  return new Promise((resolve, reject) => {
    native.async(...parameters, (error: unknown, returned: number) =>
      error === null || error === undefined ? resolve(returned >>> 0) : reject(error),
    );
  });
}

/**
 * `C:\Windows\System32`, as Windows reports it, because any program can set environment variables.
 * https://learn.microsoft.com/windows/win32/api/sysinfoapi/nf-sysinfoapi-getsystemdirectoryw
 */
function systemDirectory(koffi: Koffi): string {
  const query = koffi
    .load('kernel32.dll')
    .func('uint32 GetSystemDirectoryW(_Out_ uint16 *buffer, uint32 size)');
  const buffer = new Uint16Array(260);
  const length: number = query(buffer, buffer.length);
  return String.fromCharCode(...buffer.subarray(0, length));
}
