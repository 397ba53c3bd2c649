import { HcnMissing, HcnUnavailable } from '../hcn/errors.ts';
import type { ComputeNetworkLibrary } from '../hcn/library.ts';
import type { IpHelper } from '../iphlpapi/ip-helper.ts';
import { isFile } from './is-file.ts';

/** Throws HcnMissing if this machine has no HCN, HcnUnavailable if its library cannot be loaded. */
export async function loadLibrary(): Promise<ComputeNetworkLibrary> {
  const { loadComputeNetwork } = await import('../hcn/computenetwork.ts');
  return orMissing(loadComputeNetwork, '. Install the Windows feature "Containers"');
}

/** Throws like loadLibrary. */
export async function loadIpHelper(): Promise<IpHelper> {
  const { loadIpHelper } = await import('../iphlpapi/load-ip-helper.ts');
  return orMissing(loadIpHelper, '');
}

/** Outside Windows, WIN_HCN_LIBRARY names the library. On Windows only Windows' own libraries are loaded. */
function orMissing<T>(load: (substitute: string | undefined) => T, remedy: string): T {
  const substitute =
    process.platform === 'win32' ? undefined : process.env['WIN_HCN_LIBRARY'] || missingLibrary();
  try {
    return load(substitute);
  } catch (error) {
    const missing = error instanceof HcnUnavailable && error.path !== undefined && !isFile(error.path);
    if (!missing) throw error;
    const hint = substitute === undefined ? remedy : '';
    throw new HcnMissing(`${error.path} is missing${hint}`, error.path, error);
  }
}

function missingLibrary(): never {
  throw new HcnMissing(
    'this machine does not run Windows, and WIN_HCN_LIBRARY does not name a library',
    undefined,
  );
}
