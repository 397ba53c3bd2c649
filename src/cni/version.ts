import { CniError, code } from './error.ts';

/** The supported protocol versions, oldest first. */
export const supportedVersions = ['0.1.0', '0.2.0', '0.3.0', '0.3.1', '0.4.0', '1.0.0', '1.1.0'] as const;
/** A supported version of the protocol. */
export type CniVersion = (typeof supportedVersions)[number];
/** The version of answers to a request whose own version is unreadable. */
export const latestVersion: CniVersion = '1.1.0';

/**
 * The version in a configuration. A missing version means 0.1.0, as in libcni.
 * Throws code 1 for an unsupported version, naming the supported ones.
 */
export function readVersion(value: unknown): CniVersion {
  const given = value === undefined || value === null || value === '' ? '0.1.0' : value;
  if (typeof given !== 'string') {
    throw new CniError(code.decodingFailure, `cniVersion is ${JSON.stringify(given)}, expected a string`);
  }
  if (!isSupported(given)) {
    throw new CniError(code.incompatibleVersion, `incompatible CNI versions: cniVersion is "${given}"`, {
      details: `win-hcn supports ${supportedVersions.join(', ')}`,
    });
  }
  return given;
}

function isSupported(version: string): version is CniVersion {
  const all: readonly string[] = supportedVersions;
  return all.includes(version);
}

/** Whether `version` is `other` or later. */
export function isAtLeast(version: CniVersion, other: CniVersion): boolean {
  return supportedVersions.indexOf(version) >= supportedVersions.indexOf(other);
}
