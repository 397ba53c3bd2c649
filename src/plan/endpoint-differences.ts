import type { HostComputeEndpoint } from '../hcn/documents.ts';
import { macWithColons } from '../net/mac.ts';
import { healthNotice, stateDifferences } from './endpoint-health.ts';

/**
 * Why an endpoint that HNS accepted is unfit for a pod, one line each: its state is degraded or destroyed, it lacks an address or an
 * ACL that was sent, or it has its gateway's address.
 */
export function endpointFailures(
  sent: HostComputeEndpoint,
  observed: HostComputeEndpoint,
): readonly string[] {
  const addresses = (observed.IpConfigurations ?? []).map(({ IpAddress }) => IpAddress);
  const missing = (sent.IpConfigurations ?? []).filter(({ IpAddress }) => !addresses.includes(IpAddress));
  return [
    ...stateDifferences(observed),
    ...(addresses.length > 0 ? [] : ['HNS made the endpoint without an address: give the network a subnet']),
    ...ownGateways(observed).map(
      (one) =>
        `HNS gave the endpoint ${one}, which is the gateway asked for: ask for another, or have an IPAM plugin assign addresses`,
    ),
    ...missing.map(
      ({ IpAddress }) =>
        `HNS gave the endpoint ${addresses.join(', ') || 'no address'}, not ${IpAddress}: win-hcn show ip ${IpAddress} shows who has that`,
    ),
    ...lostTypes(sent, observed)
      .filter(isAcl)
      .map(
        (type) =>
          `HNS dropped a policy ${type} of the endpoint: leave it out, or update this Windows (cmd /c ver shows its build)`,
      ),
  ];
}

/**
 * Other differences between the endpoint that HNS shows and the one that was sent, one line each. They fail no pod: HNS may merge
 * OutBoundNAT policies and show EncapOverhead elsewhere, and other plugins compare nothing. CHECK compares more.
 */
export function endpointNotices(sent: HostComputeEndpoint, observed: HostComputeEndpoint): readonly string[] {
  const mac = observed.MacAddress ?? '';
  return [
    ...healthNotice(observed),
    ...(sent.MacAddress === undefined || macWithColons(sent.MacAddress) === macWithColons(mac)
      ? []
      : [`HNS gave the endpoint MAC address ${mac || 'none'}, not ${sent.MacAddress}`]),
    ...lostTypes(sent, observed)
      .filter((type) => !isAcl(type))
      .map((type) => `HNS shows fewer ${type} policies on the endpoint than were sent`),
  ];
}

function isAcl(type: string): boolean {
  return type.toLowerCase() === 'acl';
}

/** The endpoint's own addresses that its routes lead through. */
function ownGateways({ IpConfigurations = [], Routes = [] }: HostComputeEndpoint): readonly string[] {
  const own = IpConfigurations.map(({ IpAddress }) => IpAddress);
  return own.filter((address) => Routes.some(({ NextHop }) => NextHop === address));
}

/** The types of which HNS has fewer policies than were sent, each once. */
function lostTypes(sent: HostComputeEndpoint, observed: HostComputeEndpoint): readonly string[] {
  const count = ({ Policies = [] }: HostComputeEndpoint, type: string): number =>
    Policies.filter(({ Type }) => Type.toLowerCase() === type.toLowerCase()).length;
  const types = [...new Set((sent.Policies ?? []).map(({ Type }) => Type))];
  return types.filter((type) => count(observed, type) < count(sent, type));
}
