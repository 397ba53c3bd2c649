import { CniError, code } from '../cni/error.ts';
import { isName, nameRule } from '../cni/name.ts';
import { isObject, type JsonObject } from '../json/members.ts';
import { foldCase } from './fold-case.ts';
import { vocabulary } from './generated/plugin-config-vocabulary.ts';

/**
 * The configuration with keys and words in the case of the schema, nothing validated. What DEL and GC need of it is read with
 * the functions below: what ADD would refuse must not keep a pod from being deleted.
 */
export function foldConfig(json: JsonObject): JsonObject {
  const folded = foldCase(json, vocabulary);
  return isObject(folded) ? folded : json;
}

/** The network's name. Throws code 7 when it is missing or malformed. */
export function readName(json: JsonObject): string {
  const name = json['name'] ?? '';
  if (typeof name !== 'string') {
    throw new CniError(code.decodingFailure, `/name is ${JSON.stringify(name)}, expected a string`);
  }
  if (name === '')
    throw new CniError(code.invalidConfig, 'missing network name: /name must be there and not empty');
  if (!isName(name)) {
    const details = `expected ${nameRule}`;
    throw new CniError(
      code.invalidConfig,
      `invalid characters found in network name ${JSON.stringify(name)}`,
      { details },
    );
  }
  return name;
}

/**
 * The type of the delegated IPAM plugin; undefined when HNS assigns addresses, and for what is no plugin's name: ADD refuses that,
 * so that nothing can have been leased.
 */
export function readIpamType(json: JsonObject): string | undefined {
  const type = isObject(json['ipam']) ? json['ipam']['type'] : undefined;
  return typeof type === 'string' && isName(type) ? type : undefined;
}

/** How long one HCN call may take, in seconds. */
export function readTimeout(json: JsonObject): number {
  const seconds = json['hcnTimeoutSeconds'];
  return typeof seconds === 'number' && seconds >= 1 && seconds <= 120 ? seconds : 30;
}

/** The full path of the log file; empty for none, undefined where the configuration says nothing that can be one. */
export function readLogFile(json: JsonObject): string | undefined {
  const path = json['logFile'];
  return typeof path === 'string' && logFilePattern.test(path) ? path : undefined;
}

/** As the schema has it: a colon further on would name a stream of another file. */
const logFilePattern = /^(|\/([^/].*)?|[A-Za-z]:[\\/]([^\\/:][^:]*)?)$/;
