import { hostEndpointId } from '../../../model/identity.ts';
import { selectHostNamespace } from '../../../model/ownership.ts';
import { hasManagementAddress } from '../../../model/readiness.ts';
import { hostEndpointAddress } from '../../../plan/host-endpoint.ts';
import type { Check, Judgement } from '../finding.ts';
import { type NetworkOutlook, networkOutlook } from '../network-outlook.ts';
import { quoted } from '../quoted.ts';

/** Whether the node itself is on the pods' network, where it is a bridged one. */
export const hostEndpoint: Check = {
  name: 'host endpoint',
  judge: (facts) => {
    const outlook = networkOutlook(facts);
    if (outlook?.is !== 'planned' || outlook.found === undefined) return [];
    return hasManagementAddress(outlook.network) ? [judge(outlook)] : [];
  },
};

function judge({ config, network, inventory }: NetworkOutlook & { readonly is: 'planned' }): Judgement {
  const node = selectHostNamespace(inventory.namespaces)?.ID;
  const onNetwork = inventory.endpoints.filter(({ HostComputeNetwork }) => HostComputeNetwork === network.ID);
  const atWork = onNetwork.filter(
    ({ HostComputeNamespace }) => node !== undefined && HostComputeNamespace === node,
  );
  const addresses = atWork.flatMap(({ IpConfigurations = [] }) =>
    IpConfigurations.map(({ IpAddress }) => IpAddress),
  );
  const wanted = hostEndpointAddress(config, network);
  if (wanted === undefined)
    return addresses.length > 0
      ? { verdict: 'PASS', seen: `the node has ${addresses.join(', ')} on "${network.Name}"` }
      : {
          verdict: 'WARN',
          seen: `the node has no endpoint on "${network.Name}" and may not reach its pods, as for kubelet's probes; "hostEndpoint": {} in the configuration gives it one`,
          see: `win-hcn show network ${quoted(network.Name)}`,
        };
  if (addresses.includes(wanted))
    return { verdict: 'PASS', seen: `the node has ${wanted} on "${network.Name}"` };
  const own = atWork.find(({ ID }) => ID === hostEndpointId(network.Name));
  if (own === undefined && inventory.unreadable?.some(({ kind }) => kind === 'Endpoint'))
    return { verdict: 'UNKNOWN', seen: 'HCN did not show every endpoint' };
  if (own === undefined)
    return {
      verdict: 'WARN',
      seen: `the node's endpoint ${wanted} on "${network.Name}" is not there: pods have no gateway until the next ADD makes it`,
      see: 'win-hcn ls endpoints -o wide',
    };
  return {
    verdict: 'FAIL',
    seen: `the node has ${addresses.join(', ')} on "${network.Name}", and /hostEndpoint asks for ${wanted}: ADD refuses`,
    see: `win-hcn show endpoint ${own.ID}`,
  };
}
