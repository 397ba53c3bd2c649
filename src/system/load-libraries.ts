import { HcnMissing, HcnUnavailable } from '../hcn/errors.ts';
import type { ComputeNetworkLibrary } from '../hcn/library.ts';
import type { IpHelper } from '../iphlpapi/ip-helper.ts';
import { isFile } from './is-file.ts';

/** Throws HcnMissing where there is no HCN, HcnUnavailable where its library cannot be loaded. */
export async function loadLibrary(): Promise<ComputeNetworkLibrary> {
  const { loadComputeNetwork } = await import('../hcn/computenetwork.ts');
  return orMissing(loadComputeNetwork, ': the Windows feature "Containers" brings it');
}

/** Throws like loadLibrary. */
export async function loadIpHelper(): Promise<IpHelper> {
  const { loadIpHelper } = await import('../iphlpapi/load-ip-helper.ts');
  return orMissing(loadIpHelper, '');
}

/** On Windows nothing can take the place of Windows' own libraries. */
function orMissing<T>(load: (substitute: string | undefined) => T, remedy: string): T {
  const substitute =
    process.platform === 'win32' ? undefined : process.env['WIN_HCN_LIBRARY'] || missingLibrary();
  try {
    return load(substitute);
  } catch (error) {
    const missing = error instanceof HcnUnavailable && error.path !== undefined && !isFile(error.path);
    if (!missing) throw error;
    const hint = substitute === undefined ? remedy : '';
    throw new HcnMissing(`there is no ${error.path}${hint}`, error.path, error);
  }
}

function missingLibrary(): never {
  const substitute = 'WIN_HCN_LIBRARY names no library in the place of computenetwork.dll';
  throw new HcnMissing(`this machine is no Windows, and ${substitute}`, undefined);
}
