import { isFailure } from '../../hcn/hresults.ts';
import type { ComputeNetworkLibrary, Handle, Kind } from '../../hcn/library.ts';
import type { System } from '../../system.ts';

/** A system whose HCN keeps no object open for longer than it is looked at. */
export interface ClosingSystem {
  readonly system: System;
  /** Closes what is open, and waits for none of it. */
  close(): void;
}

/** The process of one request closes its handles by its end; one that stays would have more and more of them. */
export function closingHandles(given: System): ClosingSystem {
  let opened: Handle[] = [];
  let loading: Promise<ComputeNetworkLibrary> | undefined;
  const open = async <K extends Kind>(library: ComputeNetworkLibrary, kind: K, id: string) => {
    const answer = await library.open(kind, id);
    if (!isFailure(answer.hresult)) opened.push(answer.value);
    return answer;
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
    close: () => {
      const handles = opened;
      opened = [];
      closeAll(handles).catch(() => undefined);
    },
  };
}
