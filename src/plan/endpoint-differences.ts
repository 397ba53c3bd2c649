import type { HostComputeEndpoint } from '../hcn/documents.ts';
import type { Guid } from '../hcn/guid.ts';
import { macWithColons } from '../net/mac.ts';
import { healthDifferences, isAttached } from './observed-endpoint.ts';

/**
 * What of an endpoint HNS has accepted did not come to be, one line each: its health, namespace (undefined for none), addresses, MAC address, and policies
 * by their type. How HNS writes the settings of a policy back is for CHECK to compare, which fails no pod.
 */
export function endpointDifferences(
  sent: HostComputeEndpoint,
  namespace: Guid | undefined,
  observed: HostComputeEndpoint,
): readonly string[] {
  const addresses = (observed.IpConfigurations ?? []).map(({ IpAddress }) => IpAddress);
  const missing = (sent.IpConfigurations ?? []).filter(({ IpAddress }) => !addresses.includes(IpAddress));
  const actual = isAttached(observed) ? observed.HostComputeNamespace : undefined;
  const mac = observed.MacAddress ?? '';
  return [
    ...healthDifferences(observed),
    ...(addresses.length > 0 ? [] : ['HNS made the endpoint without an address: give the network a subnet']),
    ...ownGateways(observed).map(
      (one) =>
        `HNS gave the endpoint ${one}, which is the gateway asked for: ask for another, or have an IPAM plugin assign addresses`,
    ),
    ...missing.map(
      ({ IpAddress }) =>
        `HNS gave the endpoint ${addresses.join(', ') || 'no address'}, not ${IpAddress}: win-hcn show ip ${IpAddress} shows who has that`,
    ),
    ...(sent.MacAddress === undefined || macWithColons(sent.MacAddress) === macWithColons(mac)
      ? []
      : [
          `HNS gave the endpoint MAC address ${mac || 'none'}, not ${sent.MacAddress}: win-hcn ls endpoints shows who has that`,
        ]),
    ...lostTypes(sent, observed).map(
      (type) =>
        `HNS dropped a policy ${type} of the endpoint: leave it out, or update this Windows (cmd /c ver shows its build)`,
    ),
    ...(actual === namespace
      ? []
      : [
          `HNS put the endpoint into namespace ${actual ?? 'none'}, not ${namespace ?? 'none'}: win-hcn ls namespaces shows both`,
        ]),
  ];
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
