import type { Kind } from '../../hcn/guid.ts';
import { isFailure } from '../../hcn/hresults.ts';
import type { ComputeNetworkLibrary, Handle } from '../../hcn/library.ts';
import type { System } from '../../system.ts';

/**
 * Returns a system whose open HCN objects can be closed from time to time: a long-running process would collect handles. `closeHandles`
 * does not wait.
 */
export function trackHandles(given: System): { readonly system: System; closeHandles(): void } {
  let opened: Handle[] = [];
  let loading: Promise<ComputeNetworkLibrary> | undefined;
  const open = async <K extends Kind>(library: ComputeNetworkLibrary, kind: K, id: string) => {
    const response = await library.open(kind, id);
    if (!isFailure(response.hresult)) opened.push(response.value);
    return response;
  };
  const loadLibrary = async () => {
    loading ??= given.loadLibrary();
    const library = await loading;
    return { ...library, open: <K extends Kind>(kind: K, id: string) => open(library, kind, id) };
  };
  const closeAll = async (handles: readonly Handle[]) => {
    const library = await loading;
    for (const handle of handles) await library?.close(handle);
  };
  return {
    system: { ...given, loadLibrary },
    closeHandles: () => {
      const handles = opened;
      opened = [];
      closeAll(handles).catch(() => undefined);
    },
  };
}
