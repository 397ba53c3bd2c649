import {
  addressesIn,
  type HostComputeEndpoint,
  type HostComputeNetwork,
  type Route,
} from '../hcn/documents.ts';
import { describeHresult, hresultOf, remedyFor } from '../hcn/hresults.ts';
import { familyOf, isHostAddress, isUnspecified } from '../net/address.ts';
import { formatMac, parseUnicastMac } from '../net/mac.ts';
import { bitsOf, formatPrefix, parsePrefix } from '../net/prefix.ts';
import { subnetsWithoutException } from './outbound-nat.ts';
import { remoteSubnetsOf } from './remote-subnets.ts';

/**
 * Returns the reasons why a pod cannot use an endpoint that HNS created, one line per reason: its state is degraded or destroyed, an
 * address, next hop or MAC address is invalid, a requested address or ACL is missing, or its address is its gateway.
 */
export function endpointFailures(
  sent: HostComputeEndpoint,
  observed: HostComputeEndpoint,
): readonly string[] {
  const addresses = addressesIn(observed);
  const shown = addresses.join(', ') || 'no address';
  const missing = addressesIn(sent).filter((address) => !addresses.includes(address));
  return [
    ...stateFailures(observed),
    ...(addresses.length > 0
      ? []
      : ['HNS created the endpoint without an address: add a subnet to the network']),
    ...invalidMembers(observed),
    ...ownGateways(observed).map(
      (gateway) =>
        `HNS assigned ${gateway} to the endpoint, which is the requested gateway: request another gateway, or use an IPAM plugin`,
    ),
    ...missing.map(
      (address) =>
        `HNS assigned ${shown} to the endpoint, expected ${address}: run win-hcn show ip ${address} to see what uses it`,
    ),
    ...droppedTypes(sent, observed)
      .filter(isAcl)
      .map(
        (type) =>
          `HNS dropped a policy ${type} of the endpoint: remove the policy, or update Windows (cmd /c ver shows the build)`,
      ),
  ];
}

/**
 * Returns the other differences between the endpoint that HNS returned and the one that was sent, one line per difference. They do not
 * fail ADD: HNS may merge OutBoundNAT policies and return EncapOverhead elsewhere. CHECK compares more.
 */
export function endpointNotices(sent: HostComputeEndpoint, observed: HostComputeEndpoint): readonly string[] {
  const mac = observed.MacAddress ?? '';
  return [
    ...healthNotice(observed),
    ...(sent.MacAddress === undefined || formatMac(sent.MacAddress) === formatMac(mac)
      ? []
      : [`HNS assigned MAC address ${mac || 'none'} to the endpoint, expected ${sent.MacAddress}`]),
    ...droppedTypes(sent, observed)
      .filter((type) => !isAcl(type))
      .map((type) => `HNS returned fewer ${type} policies for the endpoint than were sent`),
  ];
}

/** Returns one line if outbound NAT translates traffic to pods of other nodes that the network leads to, else none. */
export function translationNotices(
  { Policies = [], IpConfigurations = [] }: HostComputeEndpoint,
  network: HostComputeNetwork,
): readonly string[] {
  const families = IpConfigurations.map(({ IpAddress }) => familyOf(IpAddress));
  const remote = remoteSubnetsOf(network)
    .map(({ subnet }) => subnet)
    .filter((subnet) => families.length === 0 || families.includes(familyOf(subnet)));
  const [first, ...others] = subnetsWithoutException(Policies, remote);
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return [
    `the cluster's network is not excepted from outbound NAT: pods of other nodes (${first}${more}) see the address of this node`,
  ];
}

function isAcl(type: string): boolean {
  return type.toLowerCase() === 'acl';
}

/**
 * One line per address, next hop or MAC address that no pod can have or reach. HNS may leave out the MAC address. It may assign the first
 * or last address of a prefix: a network's flags decide whether HNS reserves them.
 */
function invalidMembers(endpoint: HostComputeEndpoint): readonly string[] {
  const { HostComputeNetwork, IpConfigurations = [], Routes = [], MacAddress = '' } = endpoint;
  // A preview has a text in place of the address that HNS will assign.
  const addresses = IpConfigurations.flatMap(
    ({ IpAddress, PrefixLength = bitsOf(familyOf(IpAddress)) }) =>
      parsePrefix(`${IpAddress}/${PrefixLength}`) ?? [],
  );
  return [
    ...addresses
      .filter(({ address }) => !isHostAddress(address))
      .map((prefix) => `address ${formatPrefix(prefix)}`),
    ...Routes.filter((route) => !isReachable(route)).map(
      ({ DestinationPrefix, NextHop }) => `next hop ${NextHop} of route ${DestinationPrefix}`,
    ),
    ...(MacAddress === '' || parseUnicastMac(MacAddress) !== undefined
      ? []
      : [`MAC address ${JSON.stringify(MacAddress.slice(0, 80))}`]),
  ].map(
    (invalid) =>
      `HNS assigned ${invalid} to the endpoint, which no pod can use: run win-hcn show network ${HostComputeNetwork} ` +
      'and correct its subnets, or restart the Host Network Service',
  );
}

function isReachable({ DestinationPrefix, NextHop }: Route): boolean {
  if (familyOf(DestinationPrefix) !== familyOf(NextHop)) return false;
  return isHostAddress(NextHop) || isUnspecified(NextHop);
}

/** The endpoint's addresses that are also gateways of its routes. */
function ownGateways(endpoint: HostComputeEndpoint): readonly string[] {
  const gateways = (endpoint.Routes ?? []).map(({ NextHop }) => NextHop);
  return addressesIn(endpoint).filter((address) => gateways.includes(address));
}

/** The types, without duplicates, of which HNS has fewer policies than were sent. */
function droppedTypes(sent: HostComputeEndpoint, observed: HostComputeEndpoint): readonly string[] {
  const count = ({ Policies = [] }: HostComputeEndpoint, type: string): number =>
    Policies.filter(({ Type }) => Type.toLowerCase() === type.toLowerCase()).length;
  const types = [...new Set((sent.Policies ?? []).map(({ Type }) => Type))];
  return types.filter((type) => count(observed, type) < count(sent, type));
}

const failedStates = new Map<number | undefined, string>([
  [5, 'degraded'],
  [6, 'destroyed'],
]);

/** Returns one line if HNS reports the endpoint as degraded or destroyed, else none. */
export function stateFailures({ State }: HostComputeEndpoint): readonly string[] {
  const failed = failedStates.get(State);
  return failed === undefined
    ? []
    : [`HNS reports the endpoint as ${failed}. ${remedyFor(hresultOf('HCN_E_DEGRADED_OPERATION'))}`];
}

/** Returns one line if HNS reports an error in the endpoint's health, else none. Such an error need not mean that the endpoint fails. */
export function healthNotice({ Health }: HostComputeEndpoint): readonly string[] {
  const hresult = (Health?.Data?.LastErrorCode ?? 0) >>> 0;
  return hresult === 0
    ? []
    : [`HNS reports the endpoint as unhealthy: ${describeHresult(hresult)}. ${remedyFor(hresult)}`];
}
