import { CniError, code } from '../cni/error.ts';
import { readResult } from '../cni/read-result.ts';
import { isObject } from '../cni/text.ts';
import { readVersion } from '../cni/version.ts';
import { readAcl, readNameservers, readOutboundNat, readSdnRoute, readSubnet } from './canonical.ts';
import type { PluginConfig } from './generated/plugin-config.ts';
import { validate } from './generated/validate.js';
import type { NetworkConfig, TeardownConfig } from './network-config.ts';
import { type Problem, refusal } from './problems.ts';
import { readRuntimeDns, refuseUnsupportedCapabilities } from './runtime-config.ts';
import { schemaProblems } from './schema-problems.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Reads the configuration of ADD and CHECK. Throws code 1 for the version; code 7 (code 2 for an unknown key) naming the
 * JSON pointer, what was found and what was expected, with every further problem in the details.
 */
export function readNetworkConfig(json: JsonObject): NetworkConfig {
  const name = readName(json);
  const cniVersion = readVersion(json['cniVersion']);
  const config = validated(json);
  const problems: Problem[] = [];
  const network: NetworkConfig = {
    cniVersion,
    name,
    networkType: config.networkType,
    createNetwork: config.createNetwork ?? 'ifMissing',
    adapter: config.adapter,
    subnets: (config.subnets ?? []).map((subnet, index) => readSubnet(subnet, `/subnets/${index}`, problems)),
    ipamType: readIpamType(json),
    dns: { ...readNameservers(config.dns ?? {}, '/dns', problems), ...readRuntimeDns(json) },
    macPrefix: config.macPrefix?.toUpperCase(),
    acls: (config.acls ?? []).map((acl, index) => readAcl(acl, `/acls/${index}`, problems)),
    outboundNat: config.outboundNat && readOutboundNat(config.outboundNat, '/outboundNat', problems),
    sdnRoutes: (config.sdnRoutes ?? []).map((route, index) =>
      readSdnRoute(route, `/sdnRoutes/${index}`, problems),
    ),
    endpointPolicies: config.endpointPolicies ?? [],
    networkPolicies: config.networkPolicies ?? [],
    hcnTimeoutSeconds: readTimeout(json),
    prevResult: isObject(json['prevResult']) ? readResult(json['prevResult'], 'prevResult') : undefined,
  };
  refuseUnsupportedCapabilities(json);
  throwIfAny(problems);
  return network;
}

/** Reads the configuration of DEL: what ADD would refuse must not keep a pod from being deleted. */
export function readTeardownConfig(json: JsonObject): TeardownConfig {
  return {
    name: readName(json),
    cniVersion: readVersion(json['cniVersion']),
    ipamType: readIpamType(json),
    hcnTimeoutSeconds: readTimeout(json),
  };
}

function readName(json: JsonObject): string {
  const name = json['name'] ?? '';
  if (typeof name !== 'string') {
    throw new CniError(code.decodingFailure, `/name is ${JSON.stringify(name)}, expected a string`);
  }
  if (name === '')
    throw new CniError(code.invalidConfig, 'missing network name: /name must be there and not empty');
  if (!/^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/.test(name)) {
    throw new CniError(
      code.invalidConfig,
      `invalid characters found in network name ${JSON.stringify(name)}`,
      {
        details: 'expected a letter or digit, then letters, digits, "_", "." or "-"',
      },
    );
  }
  return name;
}

/** The type of the delegated IPAM plugin; undefined when HNS assigns addresses. */
function readIpamType(json: JsonObject): string | undefined {
  const type = isObject(json['ipam']) ? (json['ipam']['type'] ?? '') : '';
  if (type === '') return undefined;
  if (typeof type !== 'string' || !/^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/.test(type) || type === json['type']) {
    throw refusal([
      {
        kind: 'value',
        path: '/ipam/type',
        found: type,
        expected: 'the name of an IPAM plugin, without a path',
      },
    ]);
  }
  return type;
}

function readTimeout(json: JsonObject): number {
  const seconds = json['hcnTimeoutSeconds'];
  return typeof seconds === 'number' && seconds >= 1 && seconds <= 120 ? seconds : 30;
}

function validated(json: JsonObject): PluginConfig {
  if (validate(json)) return json;
  throwIfAny(schemaProblems(validate.errors ?? []));
  throw new CniError(code.internal, 'the configuration is invalid, and its validator does not say why');
}

function throwIfAny(problems: readonly Problem[]): void {
  const [first, ...others] = problems;
  if (first !== undefined) throw refusal([first, ...others]);
}
