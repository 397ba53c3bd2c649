import type { Kind } from '../library.ts';
import type { Hresult } from './hresult.ts';

/** What an HRESULT means when HCN refuses to create an object. */
export interface CreationHresult extends Pick<Hresult, 'hresult' | 'cause' | 'remedy'> {
  readonly creates: Kind;
}

/**
 * HRESULTs whose meaning differs when a call creates an object.
 * NAT: containerd/containerd#13288. Adapter: microsoft/hcsshim#95, Siemens-Healthineers/K2s#1317.
 */
export const creationHresults: readonly CreationHresult[] = [
  {
    creates: 'Network',
    hresult: 0x80070490,
    cause:
      'NAT: HNS got no subnet and could not choose one. L2Bridge, Overlay and Transparent: the adapter is not free yet, seconds after another network on it was deleted.',
    remedy:
      'NAT: set "subnets", such as [{ "subnet": "172.19.208.0/20" }]. Other types: retry once Get-NetAdapter -Physical shows the adapter as Up, and check with win-hcn ls networks that no other network uses it.',
  },
];
