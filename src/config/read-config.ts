import { CniError, code } from '../cni/error.ts';
import { readResult } from '../cni/read-result.ts';
import type { Environment } from '../cni/request.ts';
import { isObject, type JsonObject } from '../json/members.ts';
import { type Behavior, defaultBehavior } from './behavior.ts';
import { readAcl, readNameservers, readOutboundNat, readSdnRoute } from './endpoint-members.ts';
import type { PluginConfig } from './generated/plugin-config.ts';
import { validate } from './generated/plugin-config-validate.js';
import type { NetworkConfig } from './network-config.ts';
import { bindingPolicies, readHostEndpoint, readMacPool, readSubnets } from './network-members.ts';
import { readName } from './plugin-members.ts';
import { readEndpointPolicies, readNetworkPolicies } from './policies.ts';
import { Problems } from './problems.ts';
import { readAttachmentConfig, readRuntimeDns } from './runtime-config.ts';
import { schemaProblems } from './schema-problems.ts';

/** What a configuration was given in: our own vocabulary, or another one that has been translated. */
interface Inherited {
  readonly behavior: Behavior;
  readonly pathOf: (path: string) => string;
}

const own: Inherited = { behavior: defaultBehavior, pathOf: (path) => path };

/**
 * Reads the configuration of ADD and CHECK. Throws code 7 (code 2 for an unknown key) naming the JSON pointer, what was found
 * and what was expected, with every further problem in the details.
 */
export function readNetworkConfig(
  json: JsonObject,
  environment: Environment = {},
  { behavior, pathOf }: Inherited = own,
): NetworkConfig {
  const name = readName(json);
  const problems = new Problems('network configuration', pathOf);
  const config = validated(
    behavior.defaultAction === 'left to HNS' ? { defaultAction: 'Allow', ...json } : json,
    problems,
  );
  const dns = { ...readNameservers(config.dns ?? {}, '/dns', problems), ...readRuntimeDns(json, problems) };
  const subnets = readSubnets(config.subnets ?? [], problems);
  const network: NetworkConfig = {
    name,
    networkType: config.networkType,
    createNetwork: config.createNetwork ?? 'ifMissing',
    adapter: config.adapter,
    subnets,
    networkFlags: config.networkFlags ?? [],
    macPool: readMacPool(config.macPool ?? [], problems),
    hostEndpoint: config.hostEndpoint && readHostEndpoint(config.hostEndpoint, subnets, problems),
    dns,
    mtu: config.mtu,
    macPrefix: config.macPrefix?.toUpperCase() ?? defaultMacPrefix(config),
    acls: (config.acls ?? []).map((acl, index) => readAcl(acl, `/acls/${index}`, problems)),
    defaultAction: behavior.defaultAction === 'left to HNS' ? undefined : config.defaultAction,
    outboundNat: readOutboundNat(config, problems),
    loopbackDSR: config.loopbackDSR ?? false,
    portMapping: {
      localRoutedVip: config.portMapping?.localRoutedVip ?? isBridge(config),
      allowAcl: config.portMapping?.allowAcl ?? false,
    },
    sdnRoutes: (config.sdnRoutes ?? []).map((route, index) =>
      readSdnRoute(route, `/sdnRoutes/${index}`, problems),
    ),
    endpointPolicies: readEndpointPolicies(config.endpointPolicies ?? [], problems),
    networkPolicies: readNetworkPolicies(config.networkPolicies ?? [], problems),
    prevResult: isObject(json['prevResult']) ? readResult(json['prevResult'], 'prevResult') : undefined,
    ...readAttachmentConfig(json, environment['CNI_ARGS'] ?? '', problems),
    behavior,
  };
  refuseTwoAdapters(network, problems);
  problems.throwIfAny();
  return network;
}

/** Which adapter is interrupted is said once. */
function refuseTwoAdapters({ adapter, networkPolicies }: NetworkConfig, problems: Problems): void {
  const binding = networkPolicies.find(({ Type }) => bindingPolicies.includes(Type));
  if (adapter === undefined || binding === undefined) return;
  problems.value('/adapter', adapter, `it to be absent beside the network policy ${binding.Type}`);
}

/** What flannel and Calico take on Overlay networks: other nodes reckon an endpoint's MAC address from its IP address. */
function defaultMacPrefix({ networkType, ipam }: PluginConfig): string | undefined {
  return networkType === 'Overlay' && ipam?.type ? '0E-2A' : undefined;
}

/** On these a node does not reach its own ports without the flag LocalRoutedVip. */
function isBridge({ networkType }: PluginConfig): boolean {
  return networkType === 'L2Bridge' || networkType === 'L2Tunnel';
}

function validated(json: JsonObject, problems: Problems): PluginConfig {
  if (validate(json)) return json;
  problems.add(schemaProblems(validate.errors ?? []));
  problems.throwIfAny();
  throw new CniError(code.internal, 'the configuration is invalid, and its validator does not say why');
}
