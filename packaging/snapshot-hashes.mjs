/** Makes V8 keep the hashes in its start-up snapshots. */

const VERSION_FIELD = 64;
/** The number of contexts, whether the hashes can be computed again, and two checksums precede the version. */
const HEADER = 16;

/**
 * Marks each snapshot inside a Node executable as one whose hashes cannot be computed again. A start of Node otherwise spends a tenth of
 * its time on that, for a random seed (docs/decisions/start-up.md; v8/src/snapshot/snapshot.cc, "kRehashabilityOffset"). Throws if there
 * is no such snapshot.
 * @param {Buffer} node the bytes of the executable, which change in place
 * @param {string} v8 the version of its V8
 */
export function keepSnapshotHashes(node, v8) {
  const headers = findHeaders(node, v8);
  if (headers.length === 0) throw new Error(`node has no start-up snapshot of V8 ${v8}`);
  for (const at of headers) node.writeUInt32LE(0, at + 4);
}

/** The places of the headers of snapshots whose hashes can be computed again. */
export function findHeaders(node, v8) {
  const version = Buffer.alloc(VERSION_FIELD);
  version.write(v8);
  const headers = [];
  for (let at = node.indexOf(version); at !== -1; at = node.indexOf(version, at + 1)) {
    const [contexts, rehashable] = [node.readUInt32LE(at - HEADER), node.readUInt32LE(at - HEADER + 4)];
    if (contexts <= 16 && rehashable === 1) headers.push(at - HEADER);
  }
  return headers;
}
