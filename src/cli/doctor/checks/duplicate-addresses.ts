import type { ObservedEndpoint } from '../../../hcn/documents.ts';
import { isRemote } from '../../../model/ownership.ts';
import { shortGuid } from '../../inventory/short-text.ts';
import { type Check, type Judgement, someOf, whenHcnAnswers } from '../finding.ts';

/** Whether an address of this node's has a second endpoint on its network, which takes its traffic. */
export const duplicateAddresses: Check = {
  name: 'addresses',
  judge: ({ inventory }) =>
    whenHcnAnswers(inventory, ({ endpoints }) => {
      const holders = endpoints.flatMap((endpoint) =>
        (endpoint.IpConfigurations ?? []).map(({ IpAddress: address }) => ({ address, endpoint })),
      );
      const shared = [
        ...Map.groupBy(holders, ({ address, endpoint }) => `${endpoint.HostComputeNetwork} ${address}`),
      ]
        .map(([, some]) => ({
          address: some[0]?.address ?? '',
          endpoints: some.map(({ endpoint }) => endpoint),
        }))
        .filter((one) => one.endpoints.length > 1 && one.endpoints.some((endpoint) => !isRemote(endpoint)));
      if (shared.length === 0) return [{ verdict: 'PASS', seen: 'no two endpoints have the same address' }];
      return shared.slice(0, 5).map(judge);
    }),
};

function judge({
  address,
  endpoints,
}: {
  readonly address: string;
  readonly endpoints: readonly ObservedEndpoint[];
}): Judgement {
  const [remote, local] = [endpoints.filter(isRemote), endpoints.filter((one) => !isRemote(one))];
  const names = (some: readonly ObservedEndpoint[]) => someOf(some.map(({ ID }) => shortGuid(ID)));
  const see = `win-hcn show ip ${address}`;
  if (local.length > 1)
    return { verdict: 'FAIL', seen: `${address} is of several endpoints of this node: ${names(local)}`, see };
  return {
    verdict: 'WARN',
    seen: `${address} is of ${names(local)} here and of remote endpoint ${names(remote)}: kube-proxy takes it for a pod on another node`,
    see,
  };
}
