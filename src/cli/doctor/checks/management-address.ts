import type { HostComputeNetwork } from '../../../hcn/documents.ts';
import { boundAdapter } from '../../../model/network-document.ts';
import { isUsableAddress } from '../../../model/readiness.ts';
import { familyOf } from '../../../net/address.ts';
import type { HostAdapter } from '../../../net/host-adapter.ts';
import { isUplink } from '../../../plan/host-endpoint.ts';
import type { Facts } from '../facts.ts';
import { type Check, type Judgement, whenHcnAnswers, whenKnown } from '../finding.ts';
import { networkOutlook } from '../network-outlook.ts';
import { quotedAlways } from '../quoted.ts';

/** Whether the node still has its address on each adapter that a network has taken. */
export const managementAddress: Check = {
  name: 'management address',
  judge: (facts) =>
    whenHcnAnswers(facts.inventory, ({ networks }) => {
      const bound = [...networks, ...planned(facts)].filter((one) => boundAdapter(one) !== undefined);
      if (bound.length === 0) return [];
      return whenKnown(
        facts.adapters,
        (adapters) => bound.map((one) => judge(one, adapters)),
        'Get-NetAdapter',
      );
    }),
};

/** The network that is still to be created, with its adapter. */
function planned(facts: Facts): readonly HostComputeNetwork[] {
  const outlook = networkOutlook(facts);
  return outlook?.is === 'planned' && outlook.found === undefined ? [outlook.network] : [];
}

function judge(network: HostComputeNetwork, adapters: readonly HostAdapter[]): Judgement {
  const uplinks = adapters.filter((adapter) => isUplink(adapter, network, adapters));
  const what = `network "${network.Name}" on adapter "${boundAdapter(network)}"`;
  const withAddress = uplinks.find(({ addresses }) => addresses.some(({ address }) => isGlobal(address)));
  if (withAddress === undefined) return without(what, uplinks);
  const { alias, addresses, gateways, isUp } = withAddress;
  const shown = addresses
    .map(({ address }) => address)
    .filter(isGlobal)
    .join(', ');
  const seen = `${what}: "${alias}" has ${shown}`;
  if (!isUp)
    return {
      verdict: 'FAIL',
      seen: `${seen} and is down`,
      fix: `Enable-NetAdapter -Name ${quotedAlways(alias)}`,
    };
  const [gateway] = gateways;
  if (gateway === undefined)
    return {
      verdict: 'WARN',
      seen: `${seen} and no default route, so that pods may reach nothing outside`,
      see: 'Get-NetRoute -DestinationPrefix 0.0.0.0/0',
    };
  return { verdict: 'PASS', seen: `${seen}, and the default route via ${gateway}` };
}

function without(what: string, uplinks: readonly HostAdapter[]): Judgement {
  const [first] = uplinks.toSorted((a, b) => b.addresses.length - a.addresses.length);
  if (first === undefined)
    return {
      verdict: 'FAIL',
      seen: `${what}: the node has no interface there`,
      see: 'Get-NetAdapter -IncludeHidden',
    };
  const apipa = first.addresses.find(({ address }) => address.startsWith('169.254.'))?.address;
  const alias = quotedAlways(first.alias);
  if (apipa === undefined)
    return {
      verdict: 'FAIL',
      seen: `${what}: "${first.alias}" has no address`,
      see: `Get-NetIPConfiguration -InterfaceAlias ${alias} -Detailed`,
    };
  return {
    verdict: 'FAIL',
    seen: `${what}: "${first.alias}" has ${apipa} only, which it gives itself while no DHCP server answers; a static address was lost`,
    see: `Get-NetIPConfiguration -InterfaceAlias ${alias} -Detailed`,
  };
}

/** An address that others can reach. */
function isGlobal(address: string): boolean {
  return familyOf(address) === 'IPv4' ? isUsableAddress(address) : !/^fe[89ab]/i.test(address);
}
