import { CniError } from '../../cni/error.ts';
import { readVersion } from '../../cni/version.ts';
import { readName } from '../../config/essential-keys.ts';
import type { NetworkConfig } from '../../config/network-config.ts';
import { findDialectName, type OpenedConfig, openConfig } from '../../config/open-config.ts';
import { describeProblem, InvalidConfig, type Problem } from '../../config/problems.ts';
import { readNetworkConfig } from '../../config/read-config.ts';
import type { ListedPlugin } from '../plugin-list.ts';
import { type AclTie, aclTies } from './acl-ties.ts';
import { readReadablePart } from './readable-part.ts';

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

/** Reads a configuration as ADD does. Finds further problems and warnings in what can be read of an invalid one. */
export function checkPlugin({ config, path }: ListedPlugin, executable: string): CheckedPlugin {
  const opened = openConfig(config, executable, '');
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
  const isSound = (inPart: string) => {
    const place = part.pathOf(inPart);
    return !part.problems.some((problem) => `${problem.path}/`.startsWith(`${place}/`));
  };
  return {
    dialect: findDialectName(config, executable),
    network,
    problems,
    warnings: aclTies(part.keys)
      .filter(({ acl, earlier }) => isSound(acl.path) && isSound(earlier.path))
      .map((tie) => describeTie(tie, part, path)),
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

function textOf({ message, details }: CniError): string {
  return [message, details].filter(Boolean).join('; ');
}

function describe(problem: Problem, prefix: string): PathDiagnostic {
  const path = `${prefix}${problem.path}`;
  return { path, text: describeProblem({ ...problem, path }), isKey: problem.kind === 'unknown key' };
}

function describeTie(
  { acl, earlier }: AclTie,
  { pathOf }: Pick<OpenedConfig, 'pathOf'>,
  prefix: string,
): PathDiagnostic {
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
