import { errorMessage } from '../../cni/error.ts';
import { readContainerdVersion } from '../containerd/version.ts';
import { readAdapters } from '../inventory/read-inventory.ts';
import type { Session } from '../terminal/session.ts';
import type { ConfNode, ConfRequest } from './conf-request.ts';
import { typeRows } from './network-types.ts';

/** Reads what a conflist needs of this node. What cannot be read is left out, with a remark. */
export async function readConfNode(
  { type, adapter }: ConfRequest,
  { system, terminal }: Session,
): Promise<{ readonly node: ConfNode; readonly remarks: readonly string[] }> {
  const containerd = await readContainerdVersion(terminal);
  if (typeRows[type].hasAdapter !== true) return { node: { adapters: undefined, containerd }, remarks: [] };
  try {
    return { node: { adapters: await readAdapters(system, 10), containerd }, remarks: [] };
  } catch (error) {
    const consequence =
      adapter === undefined
        ? 'the conflist names no adapter, and the first ADD uses the one with the default route'
        : `adapter ${JSON.stringify(adapter)} is not checked`;
    return {
      node: { adapters: undefined, containerd },
      remarks: [`cannot read this node's adapters: ${errorMessage(error)}; ${consequence}`],
    };
  }
}
