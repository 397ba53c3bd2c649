import { readResult } from '../cni/read-result.ts';
import type { Environment } from '../cni/request.ts';
import { isObject, type JsonObject } from '../json/members.ts';
import { readAttachmentConfig, readRuntimeDns } from './attachment-config.ts';
import { defaultBehavior } from './behavior.ts';
import { readEndpointKeys } from './endpoint-keys.ts';
import { readName } from './essential-keys.ts';
import { validate } from './generated/plugin-config-validate.ts';
import type { NetworkConfig } from './network-config.ts';
import { readNetworkKeys } from './network-keys.ts';
import type { OpenedConfig } from './open-config.ts';
import { collectProblems } from './problems.ts';
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
  const complete = behavior.defaultAction === 'HNS decides' ? { defaultAction: 'Allow', ...json } : json;
  const config = validated(complete, validate, problems, 'configuration');
  const networkKeys = readNetworkKeys(config, problems);
  const endpointKeys = readEndpointKeys(config, behavior, problems);
  const network: NetworkConfig = {
    name,
    ...networkKeys,
    ...endpointKeys,
    dns: { ...endpointKeys.dns, ...readRuntimeDns(json, problems) },
    ...readAttachmentConfig(json, environment['CNI_ARGS'] ?? '', problems),
    prevResult: isObject(json['prevResult']) ? readResult(json['prevResult'], 'prevResult') : undefined,
    behavior,
  };
  problems.throwIfAny();
  return network;
}
