import { readDnsSettings } from '../cni/dns.ts';
import { protocolNumbers } from '../net/protocols.ts';
import type { Behavior } from './behavior.ts';
import type { Acl, PluginConfig, SdnRoute } from './generated/plugin-config.ts';
import type { AclConfig, EndpointKeys, OutboundNatConfig, SdnRouteConfig } from './network-config.ts';
import { readEndpointPolicies } from './policy-settings.ts';
import type { Problems } from './problems.ts';
import { listOf, readAddress, readPortRange, readPrefix, readRoutePrefix } from './values.ts';

const readPrefixes = listOf(readPrefix);
const readPorts = listOf(readPortRange);

/** Returns canonical text, and adds to `problems` what the schema cannot check. */
export function readEndpointKeys(config: PluginConfig, behavior: Behavior, problems: Problems): EndpointKeys {
  return {
    dns: readDnsSettings(config.dns ?? {}, (path, found, expected) =>
      problems.invalid(`/dns/${path}`, found, expected),
    ),
    mtu: config.mtu,
    // flannel and Calico use 0E-2A on Overlay networks: other nodes derive an endpoint's MAC address from its IP address.
    macPrefix:
      config.macPrefix?.toUpperCase() ??
      (config.networkType === 'Overlay' && config.ipam?.type ? '0E-2A' : undefined),
    acls: (config.acls ?? []).map((acl, index) => readAcl(acl, `/acls/${index}`, problems)),
    defaultAction: behavior.defaultAction === 'HNS decides' ? undefined : config.defaultAction,
    outboundNat: readOutboundNat(config, problems),
    loopbackDSR: config.loopbackDSR ?? false,
    portMapping: {
      // On these network types a node reaches its own host ports only with the flag LocalRoutedVip.
      localRoutedVip:
        config.portMapping?.localRoutedVip ?? ['L2Bridge', 'L2Tunnel'].includes(config.networkType),
      allowAcl: config.portMapping?.allowAcl ?? false,
    },
    sdnRoutes: (config.sdnRoutes ?? []).map((route, index) =>
      readSdnRoute(route, `/sdnRoutes/${index}`, problems),
    ),
    endpointPolicies: readEndpointPolicies(config.endpointPolicies ?? [], problems),
  };
}

function readAcl(acl: Acl, path: string, problems: Problems): AclConfig {
  const { localAddresses, remoteAddresses, localPorts, remotePorts, protocols, priority, ruleType, ...rest } =
    acl;
  return {
    ...rest,
    priority: priority ?? 1000,
    ruleType: ruleType ?? 'Switch',
    ...(protocols && {
      protocols: protocols.map((protocol) =>
        typeof protocol === 'number' ? protocol : protocolNumbers[protocol],
      ),
    }),
    ...(localAddresses && {
      localAddresses: readPrefixes(localAddresses, `${path}/localAddresses`, problems),
    }),
    ...(remoteAddresses && {
      remoteAddresses: readPrefixes(remoteAddresses, `${path}/remoteAddresses`, problems),
    }),
    ...(localPorts && { localPorts: readPorts(localPorts, `${path}/localPorts`, problems) }),
    ...(remotePorts && { remotePorts: readPorts(remotePorts, `${path}/remotePorts`, problems) }),
  };
}

/** `ipMasq` is short for `outboundNat` without settings; `ipMasqNetwork` adds an exception to either. */
function readOutboundNat(config: PluginConfig, problems: Problems): OutboundNatConfig | undefined {
  const nat = config.outboundNat ?? (config.ipMasq ? {} : undefined);
  if (nat === undefined) return undefined;
  const path = '/outboundNat';
  const cluster =
    config.ipMasqNetwork === undefined ? [] : [readPrefix(config.ipMasqNetwork, '/ipMasqNetwork', problems)];
  return {
    exceptions: [...readPrefixes(nat.exceptions, `${path}/exceptions`, problems), ...cluster],
    destinations: readPrefixes(nat.destinations, `${path}/destinations`, problems),
    ...(nat.virtualIP !== undefined && {
      virtualIP: readAddress(nat.virtualIP, `${path}/virtualIP`, problems),
    }),
    ...(nat.maxPortPoolUsage !== undefined && { maxPortPoolUsage: nat.maxPortPoolUsage }),
  };
}

function readSdnRoute(route: SdnRoute, path: string, problems: Problems): SdnRouteConfig {
  return {
    destinationPrefix: readRoutePrefix(route.destinationPrefix, `${path}/destinationPrefix`, problems),
    ...(route.nextHop !== undefined && { nextHop: readAddress(route.nextHop, `${path}/nextHop`, problems) }),
    needEncap: route.needEncap ?? false,
  };
}
