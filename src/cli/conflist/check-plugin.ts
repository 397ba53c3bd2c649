import { CniError } from '../../cni/error.ts';
import { readVersion } from '../../cni/version.ts';
import { readName } from '../../config/essential-keys.ts';
import type { NetworkConfig } from '../../config/network-config.ts';
import { findDialectName, openConfig } from '../../config/open-config.ts';
import { describeProblem, InvalidConfig } from '../../config/problems.ts';
import { readNetworkConfig } from '../../config/read-config.ts';
import { warnOfAcls } from './checks/acls.ts';
import type { Check, PathDiagnostic } from './checks/check.ts';
import { refuseRanges, warnOfRanges } from './checks/ranges.ts';
import { unknownFolders, warnOfCapabilities, warnOfIpamType } from './checks/runtime.ts';
import {
  warnOfHostBits,
  warnOfMissingPortMappings,
  warnOfSecondNat,
  warnOfTranslatedSubnets,
} from './checks/translation.ts';
import type { ListedPlugin } from './plugin-list.ts';

/** What win-hcn reads of the configuration of one plugin. */
export interface CheckedPlugin {
  /** The name of the plugin whose dialect it is in; undefined for win-hcn's own. */
  readonly dialect: string | undefined;
  /** Undefined if it is invalid. */
  readonly network: NetworkConfig | undefined;
  readonly problems: readonly PathDiagnostic[];
  /** Valid, but may not work as intended. Only of a valid configuration. */
  readonly warnings: readonly PathDiagnostic[];
  /** Keys without effect. */
  readonly notes: readonly PathDiagnostic[];
}

const warningChecks: readonly Check[] = [
  warnOfAcls,
  warnOfCapabilities,
  warnOfIpamType,
  warnOfRanges,
  warnOfHostBits,
  warnOfMissingPortMappings,
  warnOfSecondNat,
  warnOfTranslatedSubnets,
];

/** Reads a configuration as ADD does, and checks a valid one further. */
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
      problems.push(...describeError(error, path, at));
      return undefined;
    }
  };
  const name = attempt('/name', () => readName(opened.json));
  attempt('/cniVersion', () => readVersion(opened.json['cniVersion']));
  // With a valid name, because a problem of the name is reported separately.
  const json = { ...opened.json, name: name ?? 'unnamed' };
  const network = attempt(`${path}/prevResult`, () => readNetworkConfig(json, {}, opened));
  const place = (inKeys: string) => `${path}${opened.pathOf(inKeys)}`;
  const run = (checks: readonly Check[]) =>
    network === undefined
      ? []
      : checks.flatMap((check) => check({ keys: network, json: opened.json, type, folders, place }));
  return {
    dialect: findDialectName(config, executable),
    network,
    problems: [...problems, ...run([refuseRanges])],
    warnings: run(warningChecks),
    notes: opened.ignored.map((ignored) => ({
      path: `${path}${ignored}`,
      text: `${path}${ignored} is not supported and is ignored`,
      isKey: true,
    })),
  };
}

/** The problems of an invalid configuration at `path`; of another error, one at `other`. */
function describeError(error: CniError, path: string, other: string): readonly PathDiagnostic[] {
  if (!(error instanceof InvalidConfig))
    return [{ path: other, text: [error.message, error.details].filter(Boolean).join('; ') }];
  return error.problems.map((problem) => {
    const placed = { ...problem, path: `${path}${problem.path}` };
    return { path: placed.path, text: describeProblem(placed), isKey: problem.kind === 'unknown key' };
  });
}
