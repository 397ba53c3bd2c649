import { CniError, code } from './error.ts';

/** The protocol versions we speak, oldest first. */
export const supportedVersions = ['0.1.0', '0.2.0', '0.3.0', '0.3.1', '0.4.0', '1.0.0', '1.1.0'] as const;
export type CniVersion = (typeof supportedVersions)[number];
export const latestVersion: CniVersion = '1.1.0';

/**
 * The version a configuration asks for. A missing one means 0.1.0 (the library's rule since 2016).
 * Throws code 1, naming every version we speak, for one that is not ours.
 */
export function readVersion(value: unknown): CniVersion {
  const asked = value === undefined || value === null || value === '' ? '0.1.0' : value;
  if (typeof asked !== 'string') {
    throw new CniError(code.decodingFailure, `cniVersion is ${JSON.stringify(asked)}, expected a string`);
  }
  const version = supportedVersions.find((supported) => supported === asked);
  if (version === undefined) {
    throw new CniError(
      code.incompatibleVersion,
      `incompatible CNI versions: the configuration asks for "${asked}"`,
      {
        details: `win-hcn supports ${supportedVersions.join(', ')}`,
      },
    );
  }
  return version;
}

/** Whether `version` is the same as `other` or came after it. */
export function isAtLeast(version: CniVersion, other: CniVersion): boolean {
  return supportedVersions.indexOf(version) >= supportedVersions.indexOf(other);
}
