import { withDetails } from '../cni/error.ts';
import { findValue, HcnError } from './errors.ts';
import type { LoadBalancerId } from './guid.ts';
import { isNetworkNotFound, isPolicyNotFound } from './hresults.ts';
import type { HcnResponse } from './library.ts';
import { describeObject } from './open-objects.ts';

const orphanedText =
  'HNS cannot delete a load balancer whose network is gone, as on Windows Server 2019 (Azure/aks-engine#3956). Its VIP and ports stay in use: use other ones';

/** Whether a deleted load balancer existed. `find` looks it up. Throws HCN's refusal, also for one that outlived its network. */
export async function readLoadBalancerDeletion(
  response: HcnResponse,
  id: LoadBalancerId,
  find: () => Promise<object | undefined>,
): Promise<boolean> {
  const action = `deleting ${describeObject('LoadBalancer', id)}`;
  if (isPolicyNotFound(response.hresult)) return false;
  if (isNetworkNotFound(response.hresult) && (await find()) !== undefined)
    throw withDetails(new HcnError(action, response.hresult, response.errorRecord), orphanedText);
  return findValue({ ...response, value: true }, action) ?? false;
}
