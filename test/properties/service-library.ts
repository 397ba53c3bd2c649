import type { ComputeNetworkLibrary } from '../../src/hcn/library.ts';
import { dispatch } from '../simulator/dispatch.ts';
import { Handles } from '../simulator/handles.ts';
import { errorRecord, HnsError } from '../simulator/hresults.ts';
import type { State } from '../simulator/state.ts';
import { libraryWithoutDll } from '../simulator/without-dll.ts';

/** The simulated service without its DLL, for properties with many runs. Internal errors throw. */
export function serviceLibrary(state: State): ComputeNetworkLibrary {
  const handles = new Handles();
  return libraryWithoutDll(async (call) => {
    try {
      return { hresult: 0, ...dispatch(state, handles, { client: 1, ...call }) };
    } catch (error) {
      if (!(error instanceof HnsError)) throw error;
      return { hresult: error.hresult, errorRecord: errorRecord(error.hresult, error.detail) };
    }
  });
}
