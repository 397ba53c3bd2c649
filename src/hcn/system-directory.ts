import type { Koffi } from './koffi.ts';

/**
 * `C:\Windows\System32`, from Windows itself: environment variables can be set by anyone.
 * https://learn.microsoft.com/windows/win32/api/sysinfoapi/nf-sysinfoapi-getsystemdirectoryw
 */
export function systemDirectory(koffi: Koffi): string {
  const query = koffi
    .load('kernel32.dll')
    .func('uint32 GetSystemDirectoryW(_Out_ uint16 *buffer, uint32 size)');
  const buffer = new Uint16Array(260);
  const length: number = query(buffer, buffer.length);
  return String.fromCharCode(...buffer.subarray(0, length));
}
