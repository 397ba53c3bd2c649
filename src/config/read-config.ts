import { readResult } from '../cni/read-result.ts';
import type { Environment } from '../cni/request.ts';
import { isObject, type JsonObject } from '../json/members.ts';
import { readAttachmentConfig, readRuntimeDns } from './attachment-config.ts';
import { type Behavior, defaultBehavior } from './behavior.ts';
import { readEndpointKeys } from './endpoint-keys.ts';
import { readName } from './essential-keys.ts';
import type { PluginConfig } from './generated/plugin-config.ts';
import { validate } from './generated/plugin-config-validate.ts';
import type { NetworkConfig } from './network-config.ts';
import { readNetworkKeys } from './network-keys.ts';
import type { OpenedConfig } from './open-config.ts';
import { collectProblems, type Problems } from './problems.ts';
import { validated } from './schema-problems.ts';

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
  const config = validated(withDefaultAction(json, behavior), validate, problems);
  const network: NetworkConfig = {
    name,
    ...readKeys(config, json, { behavior, cniArgs: environment['CNI_ARGS'] ?? '' }, problems),
    prevResult: isObject(json['prevResult']) ? readResult(json['prevResult'], 'prevResult') : undefined,
  };
  problems.throwIfAny();
  return network;
}

/** The configuration as the schema takes it. A dialect without `defaultAction` leaves the decision to HNS. */
export function withDefaultAction(json: JsonObject, { defaultAction }: Behavior): JsonObject {
  return defaultAction === 'HNS decides' ? { defaultAction: 'Allow', ...json } : json;
}

/** What a configuration has besides its name and the previous result. */
export type ConfigKeys = Omit<NetworkConfig, 'name' | 'prevResult'>;

/** Reads a configuration of valid shape, and adds to `problems` what the schema cannot check. `json` is the configuration as given. */
export function readKeys(
  config: PluginConfig,
  json: JsonObject,
  { behavior, cniArgs }: { readonly behavior: Behavior; readonly cniArgs: string },
  problems: Problems,
): ConfigKeys {
  const networkKeys = readNetworkKeys(config, problems);
  const endpointKeys = readEndpointKeys(config, behavior, problems);
  const { dns, ignoredDns } = readRuntimeDns(json, problems);
  return {
    ...networkKeys,
    ...endpointKeys,
    dns: { ...endpointKeys.dns, ...dns },
    ignoredDns,
    ...readAttachmentConfig(json, cniArgs, problems),
    behavior,
  };
}
