import { CniError, code } from '../cni/error.ts';
import { readResult } from '../cni/read-result.ts';
import type { Environment } from '../cni/request.ts';
import { isObject, type JsonObject } from '../json/members.ts';
import { defaultBehavior } from './behavior.ts';
import { readAcl, readDns, readOutboundNat, readSdnRoute } from './endpoint-keys.ts';
import { readName } from './essential-keys.ts';
import type { PluginConfig } from './generated/plugin-config.ts';
import { validate } from './generated/plugin-config-validate.js';
import type { NetworkConfig } from './network-config.ts';
import { bindingPolicies, readHostEndpoint, readMacPool, readSubnets } from './network-keys.ts';
import type { OpenedConfig } from './open-config.ts';
import { readEndpointPolicies, readNetworkPolicies } from './policies.ts';
import { collectProblems, type Problems } from './problems.ts';
import { readAttachmentConfig, readRuntimeDns } from './runtime-config.ts';
import { schemaProblems } from './schema-problems.ts';

const untranslated = { behavior: defaultBehavior, pathOf: (path: string) => path };

/**
 * Reads the configuration of ADD and CHECK. Throws code 7 (code 2 for an unknown key) with the JSON pointer, the given and the
 * expected value; further problems are in the details.
 */
export function readNetworkConfig(
  json: JsonObject,
  environment: Environment = {},
  { behavior, pathOf }: Pick<OpenedConfig, 'behavior' | 'pathOf'> = untranslated,
): NetworkConfig {
  const name = readName(json);
  const problems = collectProblems('network configuration', pathOf);
  const config = validated(
    behavior.defaultAction === 'HNS decides' ? { defaultAction: 'Allow', ...json } : json,
    problems,
  );
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
    dns: { ...readDns(config.dns ?? {}, problems), ...readRuntimeDns(json, problems) },
    mtu: config.mtu,
    macPrefix: config.macPrefix?.toUpperCase() ?? defaultMacPrefix(config),
    acls: (config.acls ?? []).map((acl, index) => readAcl(acl, `/acls/${index}`, problems)),
    defaultAction: behavior.defaultAction === 'HNS decides' ? undefined : config.defaultAction,
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

/** `adapter` and a network policy that selects the adapter exclude each other. */
function refuseTwoAdapters({ adapter, networkPolicies }: NetworkConfig, problems: Problems): void {
  const binding = networkPolicies.find(({ Type }) => bindingPolicies.includes(Type));
  if (adapter === undefined || binding === undefined) return;
  problems.value('/adapter', adapter, `no adapter beside the network policy ${binding.Type}`);
}

/** flannel and Calico use 0E-2A on Overlay networks: other nodes derive an endpoint's MAC address from its IP address. */
function defaultMacPrefix({ networkType, ipam }: PluginConfig): string | undefined {
  return networkType === 'Overlay' && ipam?.type ? '0E-2A' : undefined;
}

/** On these network types a node reaches its own host ports only with the flag LocalRoutedVip. */
function isBridge({ networkType }: PluginConfig): boolean {
  return networkType === 'L2Bridge' || networkType === 'L2Tunnel';
}

function validated(json: JsonObject, problems: Problems): PluginConfig {
  if (validate(json)) return json;
  problems.add(schemaProblems(validate.errors ?? []));
  problems.throwIfAny();
  throw new CniError(code.internal, 'the configuration is invalid, and its validator gave no reason');
}
