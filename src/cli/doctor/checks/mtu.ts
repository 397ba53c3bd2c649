import { CniError } from '../../../cni/error.ts';
import { boundAdapter, settingsOf } from '../../../model/network-document.ts';
import { isRemote } from '../../../model/ownership.ts';
import { encapOverhead } from '../../../plan/network-adapter.ts';
import { shortGuid } from '../../inventory/short-text.ts';
import { type Check, type Judgement, someOf } from '../finding.ts';
import { type NetworkOutlook, networkOutlook } from '../network-outlook.ts';

/** Whether the configured MTU fits the adapter, and pods have it. Without one HNS decides, and nothing is looked at. */
export const mtu: Check = {
  name: 'MTU',
  judge: (facts) => {
    const outlook = networkOutlook(facts);
    return outlook?.is === 'planned' && outlook.config.mtu !== undefined ? [judge(outlook)] : [];
  },
};

function judge({
  config,
  network,
  adapters,
  inventory,
}: NetworkOutlook & { readonly is: 'planned' }): Judgement {
  try {
    const overhead = encapOverhead(config, network, adapters);
    const others = inventory.endpoints.filter((endpoint) => {
      const given = settingsOf(endpoint.Policies, 'EncapOverhead')?.['Overhead'];
      return (
        endpoint.HostComputeNetwork === network.ID &&
        !isRemote(endpoint) &&
        given !== undefined &&
        given !== overhead
      );
    });
    const [first] = others;
    const seen = `${config.mtu} for pods, of ${(config.mtu ?? 0) + (overhead ?? 0)} of adapter "${boundAdapter(network)}"`;
    if (first === undefined) return { verdict: 'PASS', seen };
    return {
      verdict: 'WARN',
      seen: `${seen}; endpoints from before have another one until their pods are made anew: ${someOf(others.map(({ ID }) => shortGuid(ID)))}`,
      see: `win-hcn show endpoint ${first.ID}`,
    };
  } catch (error) {
    if (!(error instanceof CniError)) throw error;
    return {
      verdict: 'FAIL',
      seen: [error.message, error.details].filter(Boolean).join('; '),
      see: 'Get-NetIPInterface',
    };
  }
}
