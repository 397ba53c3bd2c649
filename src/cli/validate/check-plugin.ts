import { CniError } from '../../cni/error.ts';
import { readVersion } from '../../cni/version.ts';
import { readName } from '../../config/essential-keys.ts';
import type { NetworkConfig } from '../../config/network-config.ts';
import { findDialectName, type OpenedConfig, openConfig } from '../../config/open-config.ts';
import { describeProblem, InvalidConfig, type Problem } from '../../config/problems.ts';
import { readNetworkConfig } from '../../config/read-config.ts';
import type { ListedPlugin } from '../conflist/plugin-list.ts';
import { warnOfAclMatches } from './acl-matches.ts';
import { warnOfTies } from './acl-ties.ts';
import { warnOfCapabilities } from './capabilities.ts';
import type { Check, PathDiagnostic } from './checked-config.ts';
import { refuseForeignRanges, refuseInvalidRanges, warnOfIpamRanges } from './ipam-ranges.ts';
import { warnOfIpamType } from './ipam-type.ts';
import { warnOfHostBits, warnOfMissingPortMappings, warnOfSecondNat } from './nat-files.ts';
import { unknownFolders } from './plugin-folders.ts';
import { readReadablePart } from './readable-part.ts';
import { warnOfTranslatedSubnets } from './remote-subnets-nat.ts';

export interface CheckedPlugin {
  /** The name of the plugin whose dialect it is in; undefined for win-hcn's own. */
  readonly dialect: string | undefined;
  readonly network: NetworkConfig | undefined;
  readonly problems: readonly PathDiagnostic[];
  /** Valid, but may not work as intended. */
  readonly warnings: readonly PathDiagnostic[];
  readonly notes: readonly PathDiagnostic[];
}

const warningChecks: readonly Check[] = [
  warnOfTies,
  warnOfAclMatches,
  warnOfCapabilities,
  warnOfIpamType,
  warnOfIpamRanges,
  warnOfHostBits,
  warnOfMissingPortMappings,
  warnOfSecondNat,
  warnOfTranslatedSubnets,
];

/** Reads a configuration as ADD does. Finds further problems and warnings in what can be read of an invalid one. */
export function checkPlugin(
  { config, path, type }: ListedPlugin,
  executable: string,
  folders = unknownFolders,
): CheckedPlugin {
  const opened = openConfig(config, executable);
  const problems: PathDiagnostic[] = [];
  const attempt = <T>(at: string, read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof CniError)) throw error;
      if (!(error instanceof InvalidConfig)) problems.push({ path: at, text: textOf(error) });
      return undefined;
    }
  };
  const name = attempt('/name', () => readName(opened.json));
  attempt('/cniVersion', () => readVersion(opened.json['cniVersion']));
  const network = attempt(`${path}/prevResult`, () => readNetwork(opened, name ?? 'unnamed'));
  const part = network === undefined ? readReadablePart(opened) : { ...opened, keys: network, problems: [] };
  problems.push(...part.problems.map((problem) => describe(problem, path)));
  const place = (inPart: string) => `${path}${part.pathOf(inPart)}`;
  const isSoundInFile = (at: string) => !problems.some((problem) => `${problem.path}/`.startsWith(`${at}/`));
  const isSound = (inPart: string) => isSoundInFile(place(inPart));
  const checked = { keys: part.keys, json: opened.json, type, folders, place, isSound };
  const run = (checks: readonly Check[]) =>
    checks
      .flatMap((check) => check(checked))
      .filter((found) => [found.path, ...(found.related ?? [])].every(isSoundInFile));
  return {
    dialect: findDialectName(config, executable),
    network,
    problems: [...problems, ...run([refuseInvalidRanges, refuseForeignRanges])],
    warnings: run(warningChecks),
    notes: opened.ignored.map((ignored) => ({
      path: `${path}${ignored}`,
      text: `${path}${ignored} is not supported and is ignored`,
      isKey: true,
    })),
  };
}

/** Reads with a valid name, because a problem of the name is reported separately. The host endpoint is named after the network. */
function readNetwork(opened: OpenedConfig, name: string): NetworkConfig {
  return readNetworkConfig({ ...opened.json, name }, {}, opened);
}

function textOf({ message, details }: CniError): string {
  return [message, details].filter(Boolean).join('; ');
}

function describe(problem: Problem, prefix: string): PathDiagnostic {
  const path = `${prefix}${problem.path}`;
  return { path, text: describeProblem({ ...problem, path }), isKey: problem.kind === 'unknown key' };
}
