import { CniError } from '../../cni/error.ts';
import { readVersion } from '../../cni/version.ts';
import { readName } from '../../config/essential-keys.ts';
import type { NetworkConfig } from '../../config/network-config.ts';
import { findDialectName, type OpenedConfig, openConfig } from '../../config/open-config.ts';
import { describeProblem, InvalidConfig } from '../../config/problems.ts';
import { readNetworkConfig } from '../../config/read-config.ts';
import type { ListedPlugin } from '../plugin-list.ts';
import { type AclTie, aclTies } from './acl-ties.ts';

export interface CheckedPlugin {
  /** The name of the plugin whose dialect it is in; undefined for win-hcn's own. */
  readonly dialect: string | undefined;
  readonly network: NetworkConfig | undefined;
  readonly problems: readonly PathDiagnostic[];
  /** Valid, but may not work as intended. */
  readonly warnings: readonly PathDiagnostic[];
  readonly notes: readonly PathDiagnostic[];
}

/** A diagnostic of a member of the file, without its position. */
export interface PathDiagnostic {
  /** A JSON pointer in the file. */
  readonly path: string;
  readonly text: string;
  /** Whether it concerns the key, not its value. */
  readonly isKey?: boolean;
}

/** Reads a configuration as ADD does. Later checks run only if the schema accepts it. */
export function checkPlugin({ config, path }: ListedPlugin, executable: string): CheckedPlugin {
  const opened = openConfig(config, executable, '');
  const problems: PathDiagnostic[] = [];
  const attempt = <T>(at: string, read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof CniError)) throw error;
      problems.push(...problemsOf(error, at, path));
      return undefined;
    }
  };
  const name = attempt('/name', () => readName(opened.json));
  attempt('/cniVersion', () => readVersion(opened.json['cniVersion']));
  const network = attempt(`${path}/prevResult`, () => readNetwork(opened, name ?? 'unnamed'));
  return {
    dialect: findDialectName(config, executable),
    network,
    problems,
    warnings: network === undefined ? [] : aclTies(network).map((tie) => describeTie(tie, opened, path)),
    notes: opened.ignored.map((ignored) => ({
      path: `${path}${ignored}`,
      text: `${path}${ignored} is not supported and is ignored`,
      isKey: true,
    })),
  };
}

function readNetwork(opened: OpenedConfig, name: string): NetworkConfig {
  return readNetworkConfig({ ...opened.json, name }, {}, opened);
}

function problemsOf(error: CniError, at: string, prefix: string): readonly PathDiagnostic[] {
  if (error instanceof InvalidConfig)
    return error.problems.map((problem) => {
      const path = `${prefix}${problem.path}`;
      return { path, text: describeProblem({ ...problem, path }), isKey: problem.kind === 'unknown key' };
    });
  const text = [error.message, error.details].filter(Boolean).join('; ');
  return [{ path: at, text }];
}

function describeTie({ acl, earlier }: AclTie, { pathOf }: OpenedConfig, prefix: string): PathDiagnostic {
  const [path, other] = [acl, earlier].map((one) => `${prefix}${pathOf(one.path)}`);
  const { Direction, Priority, Action } = acl.settings;
  const priority = Priority === undefined ? 'no priority' : `priority ${Priority}`;
  return {
    path: path ?? '',
    text:
      `${path} (${Action}) ties with ${other} (${earlier.settings['Action']}): direction ${Direction}, ${priority}, overlapping ` +
      'traffic; HNS chooses which one applies: give them different priorities',
  };
}
