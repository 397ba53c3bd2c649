/** The bill of materials of a release in SPDX 2.3. */

/** @typedef {import('./components.mjs').Component} Component */
/** @typedef {import('./main.mjs').Shipped} Shipped */

const none = 'NOASSERTION';

/**
 * Both executables, and what each contains. The namespace and the time are those of the contents, so that two builds are equal.
 * @param {{ version: string, time: Date, uuid: string, files: readonly Shipped[], components: readonly Component[] }} release
 */
export function spdx({ version, time, uuid, files, components }) {
  const root = idOf(`win-hcn-${version}`);
  const contains = (from, to) => ({
    spdxElementId: idOf(from),
    relationshipType: 'CONTAINS',
    relatedSpdxElement: idOf(to),
  });
  return {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: `win-hcn-${version}`,
    documentNamespace: `https://spdx.org/spdxdocs/win-hcn-${version}-${uuid}`,
    creationInfo: {
      created: time.toISOString().replace(/\.\d+Z$/, 'Z'),
      creators: [`Tool: win-hcn-release-${version}`],
    },
    documentDescribes: [root],
    packages: [
      {
        name: 'win-hcn',
        SPDXID: root,
        versionInfo: version,
        downloadLocation: none,
        filesAnalyzed: false,
        licenseConcluded: 'MIT',
        licenseDeclared: 'MIT',
        copyrightText: none,
        primaryPackagePurpose: 'APPLICATION',
      },
      ...components.flatMap((found) => [found, ...(found.parts ?? [])]).map(packageOf),
    ],
    files: files.map(({ id, path, sha1, sha256 }) => ({
      fileName: `./${path}`,
      SPDXID: idOf(id),
      fileTypes: ['BINARY'],
      checksums: [
        { algorithm: 'SHA1', checksumValue: sha1 },
        { algorithm: 'SHA256', checksumValue: sha256 },
      ],
      licenseConcluded: none,
      copyrightText: none,
    })),
    relationships: [
      {
        spdxElementId: 'SPDXRef-DOCUMENT',
        relationshipType: 'DESCRIBES',
        relatedSpdxElement: root,
      },
      ...files.flatMap((file) => [
        contains(`win-hcn-${version}`, file.id),
        ...file.contains.map((id) => contains(file.id, id)),
      ]),
      ...components.flatMap(({ id, parts = [] }) => parts.map((part) => contains(id, part.id))),
    ],
  };
}

function packageOf({ id, name, version, purl, license = none, cpe, hashes = {} }) {
  const reference = (referenceCategory, referenceType, referenceLocator) => ({
    referenceCategory,
    referenceType,
    referenceLocator,
  });
  return {
    name,
    SPDXID: idOf(id),
    versionInfo: version,
    downloadLocation: none,
    filesAnalyzed: false,
    licenseConcluded: license,
    licenseDeclared: license,
    copyrightText: none,
    checksums: Object.entries(hashes).map(([algorithm, checksumValue]) => ({
      algorithm: algorithm.replace('-', ''),
      checksumValue,
    })),
    externalRefs: [
      reference('PACKAGE-MANAGER', 'purl', purl),
      ...(cpe ? [reference('SECURITY', 'cpe23Type', cpe)] : []),
    ],
  };
}

/** Letters, digits, dots and hyphens only. */
function idOf(id) {
  return `SPDXRef-${id.replace(/[^\w.-]|_/g, '-')}`;
}
