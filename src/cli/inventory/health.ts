import type { ObservedEndpoint } from '../../hcn/documents.ts';
import { findHresult } from '../../hcn/hresults.ts';

/** Returns `ok`, or the symbol or number of HNS's last error. */
export function healthOf({ Health }: ObservedEndpoint): string {
  const error = (Health?.Data?.LastErrorCode ?? 0) >>> 0;
  return error === 0 ? 'ok' : (findHresult(error)?.symbol ?? `0x${error.toString(16).padStart(8, '0')}`);
}
