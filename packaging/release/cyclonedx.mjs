/** The bill of materials of a release in CycloneDX 1.6. */

/** @typedef {import('./components.mjs').Component} Component */
/** @typedef {import('./main.mjs').Shipped} Shipped */

/**
 * Both executables, and what each contains. The serial number and the time are those of the contents, so that two builds are equal.
 * @param {{ version: string, time: Date, uuid: string, files: readonly Shipped[], components: readonly Component[] }} release
 */
export function cyclonedx({ version, time, uuid, files, components }) {
  const root = `win-hcn-${version}`;
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuid}`,
    version: 1,
    metadata: {
      timestamp: time.toISOString(),
      lifecycles: [{ phase: 'build' }],
      component: {
        type: 'application',
        'bom-ref': root,
        name: 'win-hcn',
        version,
        licenses: [{ license: { id: 'MIT' } }],
        purl: `pkg:generic/win-hcn@${version}`,
      },
    },
    components: [...files.map(fileComponent), ...components.map(component)],
    dependencies: [
      { ref: root, dependsOn: files.map(({ id }) => id) },
      ...files.map(({ id, contains }) => ({ ref: id, dependsOn: contains })),
      ...components.flatMap(({ id, parts = [] }) => [
        { ref: id, ...(parts.length > 0 && { dependsOn: parts.map((part) => part.id) }) },
        ...parts.map((part) => ({ ref: part.id })),
      ]),
    ],
  };
}

function fileComponent({ id, path, sha256 }) {
  return { type: 'file', 'bom-ref': id, name: path, hashes: [{ alg: 'SHA-256', content: sha256 }] };
}

function component({ id, name, version, purl, license, cpe, hashes, parts = [] }) {
  const [group, unscoped] = name.startsWith('@') ? name.split('/') : [undefined, name];
  return {
    type: name === 'nodejs' ? 'platform' : 'library',
    'bom-ref': id,
    ...(group && { group }),
    name: unscoped,
    version,
    ...(hashes && { hashes: Object.entries(hashes).map(([alg, content]) => ({ alg, content })) }),
    ...(license && { licenses: [{ license: { id: license } }] }),
    ...(cpe && { cpe }),
    purl,
    ...(parts.length > 0 && { components: parts.map(component) }),
  };
}
