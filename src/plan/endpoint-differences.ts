import {
  addressesIn,
  type HostComputeEndpoint,
  type HostComputeNetwork,
  type Policy,
  type Route,
  withoutKeys,
} from '../hcn/documents.ts';
import { describeHresult, hresultOf, isFailure, remedyFor } from '../hcn/hresults.ts';
import { defaultGateways, isDefaultRoute, isPolicyOf } from '../model/network-document.ts';
import { familyOf, isHostAddress, isUnspecified } from '../net/address.ts';
import { formatMac, parseUnicastMac } from '../net/mac.ts';
import { bitsOf, formatPrefix, parsePrefix } from '../net/prefix.ts';
import { subnetsWithoutException } from './outbound-nat.ts';
import { remoteSubnetsOf } from './remote-subnets.ts';

/**
 * Returns the reasons why a pod cannot use an endpoint that HNS created, one line per reason: its state is degraded or destroyed, an
 * address, next hop or MAC address is invalid, a requested address is missing, ACLs that isolate it are, or its address is its gateway.
 */
export function endpointFailures(
  sent: HostComputeEndpoint,
  observed: HostComputeEndpoint,
): readonly string[] {
  const addresses = addressesIn(observed);
  const lost = lostAcls(sent, observed);
  const missing = addresses.length === 0 ? [] : addressesIn(sent).filter((one) => !addresses.includes(one));
  return [
    ...stateFailures(observed),
    ...invalidMembers(sent, observed),
    ...ownGateways(observed).map(
      (gateway) =>
        `HNS assigned ${gateway} to the endpoint, which is the requested gateway: request another gateway, or use an IPAM plugin`,
    ),
    ...missing.map(
      (address) =>
        `HNS assigned ${addresses.join(', ')} to the endpoint, expected ${address}: run win-hcn show ip ${address} to see what uses it`,
    ),
    ...(lost.length === 0
      ? []
      : [
          `HNS dropped ${countOf('ACL', observed) === 0 ? 'every ACL' : lost.map(withoutKeys).join(', ')} of the endpoint, which would not be isolated: update Windows (cmd /c ver shows the build)`,
        ]),
  ];
}

/**
 * Returns the other differences between the endpoint that HNS returned and the one that was sent, one line per difference. They do not
 * fail ADD: HNS may merge OutBoundNAT policies and ACLs, and return EncapOverhead elsewhere. CHECK compares more.
 */
export function endpointNotices(sent: HostComputeEndpoint, observed: HostComputeEndpoint): readonly string[] {
  const mac = observed.MacAddress ?? '';
  return [
    ...healthNotice(observed),
    ...(sent.MacAddress === undefined || formatMac(sent.MacAddress) === formatMac(mac)
      ? []
      : [`HNS assigned MAC address ${mac || 'none'} to the endpoint, expected ${sent.MacAddress}`]),
    ...droppedTypes(sent, observed).map(
      (type) => `HNS returned fewer ${type} policies for the endpoint than were sent`,
    ),
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

type Policies = Pick<HostComputeEndpoint, 'Policies'>;

/** The ACLs without which the endpoint is not isolated, and that HNS did not return: all if it returned none, otherwise rules that block. */
export function lostAcls(sent: Policies, observed: Policies): readonly Policy[] {
  const aclsOf = ({ Policies = [] }: Policies) => Policies.filter((one) => isPolicyOf('ACL', one));
  const [acls, returned] = [aclsOf(sent), aclsOf(observed)];
  return acls.filter(
    (acl) => returned.length === 0 || (acl.Settings?.['Action'] === 'Block' && !mayIncludeAcl(returned, acl)),
  );
}

const conditions = ['Protocols', 'LocalAddresses', 'RemoteAddresses', 'LocalPorts', 'RemotePorts'];

/**
 * Whether returned ACLs may do what a sent one does. HNS may make one of several with the same action and direction, and return one without
 * settings. A rule that blocks all is not needed: HNS blocks what no ACL allows (microsoft/Windows-Containers#616).
 */
export function mayIncludeAcl(returned: readonly Policy[], { Settings: sent = {} }: Policy): boolean {
  if (sent['Action'] === 'Block' && !conditions.some((name) => name in sent)) return returned.length > 0;
  const isSame = (value: unknown, wanted: unknown, omitted: string) =>
    typeof (value ?? omitted) !== 'string' ||
    String(value ?? omitted).toLowerCase() === String(wanted).toLowerCase();
  return returned.some(
    ({ Settings = {} }) =>
      Object.keys(Settings).length === 0 ||
      (isSame(Settings['Action'], sent['Action'], 'Allow') &&
        isSame(Settings['Direction'], sent['Direction'], 'In')),
  );
}

function countOf(type: string, { Policies = [] }: HostComputeEndpoint): number {
  return Policies.filter((policy) => isPolicyOf(type, policy)).length;
}

/**
 * One line per address, next hop or MAC address that no pod can have or reach. HNS may leave out the MAC address or return zeros, and add
 * routes that are none to a gateway, such as those to the pod's own address. It may assign the first or last address of a prefix: a network's
 * flags decide whether HNS reserves them.
 */
function invalidMembers(sent: HostComputeEndpoint, endpoint: HostComputeEndpoint): readonly string[] {
  const { HostComputeNetwork, IpConfigurations = [], Routes = [], MacAddress = '' } = endpoint;
  const wanted = new Set(sent.Routes?.map(({ DestinationPrefix }) => DestinationPrefix));
  const used = Routes.filter(
    ({ DestinationPrefix }) => isDefaultRoute(DestinationPrefix) || wanted.has(DestinationPrefix),
  );
  // A preview has a text in place of the address that HNS will assign.
  const addresses = IpConfigurations.flatMap(
    ({ IpAddress, PrefixLength = bitsOf(familyOf(IpAddress)) }) =>
      parsePrefix(`${IpAddress}/${PrefixLength}`) ?? [],
  );
  return [
    ...addresses
      .filter(({ address }) => !isHostAddress(address))
      .map((prefix) => `address ${formatPrefix(prefix)}`),
    ...used
      .filter((route) => !isReachable(route))
      .map(({ DestinationPrefix, NextHop }) => `next hop ${NextHop} of route ${DestinationPrefix}`),
    ...(/^[0:-]*$/.test(MacAddress) || parseUnicastMac(MacAddress) !== undefined
      ? []
      : [`MAC address ${JSON.stringify(MacAddress.slice(0, 80))}`]),
  ].map(
    (invalid) =>
      `HNS assigned ${invalid} to the endpoint, which no pod can use: run win-hcn show network ${HostComputeNetwork} ` +
      'and correct its subnets, or drain the node and run Restart-Service hns',
  );
}

function isReachable({ DestinationPrefix, NextHop }: Route): boolean {
  if (familyOf(DestinationPrefix) !== familyOf(NextHop)) return false;
  return isHostAddress(NextHop) || isUnspecified(NextHop);
}

/** The endpoint's addresses that are also its gateways. */
function ownGateways(endpoint: HostComputeEndpoint): readonly string[] {
  const gateways = defaultGateways(endpoint.Routes ?? []);
  return addressesIn(endpoint).filter((address) => gateways.includes(address));
}

/** The types, without duplicates, of which HNS has fewer policies than were sent. */
function droppedTypes(sent: HostComputeEndpoint, observed: HostComputeEndpoint): readonly string[] {
  const types = [...new Set((sent.Policies ?? []).map(({ Type }) => Type))];
  return types.filter((type) => countOf(type, observed) < countOf(type, sent));
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
  return !isFailure(hresult)
    ? []
    : [`HNS reports the endpoint as unhealthy: ${describeHresult(hresult)}. ${remedyFor(hresult)}`];
}
