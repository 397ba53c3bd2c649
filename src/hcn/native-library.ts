import { HcnUnavailable } from './errors.ts';
import { type Koffi, loadKoffi } from './koffi.ts';

export type NativeLibrary = ReturnType<Koffi['load']>;

/** A native function of koffi's: its last argument gets the outcome of a call on another thread. */
export interface NativeFunction {
  async(...parameters: readonly unknown[]): void;
}

let koffi: Koffi | undefined;

/**
 * What `bind` makes of a library: Windows' own of this name, by full path, or the one at `path`, which stands in for all
 * of them. Throws HcnUnavailable when it cannot be loaded or lacks a function.
 */
export function useLibrary<T>(
  name: string,
  path: string | undefined,
  bind: (library: NativeLibrary, koffi: Koffi) => T,
): T {
  let loading: string | undefined;
  try {
    koffi ??= confined(loadKoffi());
    loading = path ?? `${systemDirectory(koffi)}\\${name}`;
    return bind(koffi.load(loading), koffi);
  } catch (cause) {
    if (cause instanceof HcnUnavailable) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = loading === undefined ? reason : `cannot load ${loading}: ${reason}`;
    throw new HcnUnavailable(message, loading, cause);
  }
}

/**
 * From now on Windows looks for the libraries that a library needs in System32 only, and not in the folder of the exe first.
 * https://learn.microsoft.com/windows/win32/api/libloaderapi/nf-libloaderapi-setdefaultdlldirectories
 */
function confined(koffi: Koffi): Koffi {
  if (process.platform !== 'win32') return koffi;
  const searchSystem32 = 0x800;
  koffi.load('kernel32.dll').func('int SetDefaultDllDirectories(uint32 flags)')(searchSystem32);
  return koffi;
}

/**
 * Ends this process at once with an exit code, whatever its calls still wait for, which `process.exit` would wait for too. Does nothing
 * where no library has been used, so that no call can hang.
 * https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-terminateprocess
 */
export function endProcess(exitCode: number): void {
  if (koffi === undefined) return;
  if (process.platform === 'win32') {
    const ownProcess = -1;
    const terminate = koffi.load('kernel32.dll').func('int TerminateProcess(intptr_t process, uint32 code)');
    terminate(ownProcess, exitCode);
  } else koffi.load(null).func('void _exit(int status)')(exitCode);
}

/** The unsigned number a call returns. Rejects only when koffi cannot make the call. */
export function call(native: NativeFunction, parameters: readonly unknown[]): Promise<number> {
  return new Promise((resolve, reject) => {
    native.async(...parameters, (error: unknown, returned: number) =>
      error === null || error === undefined ? resolve(returned >>> 0) : reject(error),
    );
  });
}

/**
 * `C:\Windows\System32`, from Windows itself: environment variables can be set by anyone.
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
