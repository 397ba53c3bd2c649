import { CniError, code } from '../cni/error.ts';
import type { AttachRequest } from '../cni/request.ts';
import type { HcnClient } from '../hcn/client.ts';

/** Throws code 3 where HCN does not have a pod's namespace. */
export async function requireNamespace(
  { netns, namespaceId }: Pick<AttachRequest, 'netns' | 'namespaceId'>,
  hcn: HcnClient,
): Promise<void> {
  if (await hcn.openNamespace(namespaceId)) return;
  throw new CniError(code.unknownContainer, `HCN has no namespace ${netns}: the sandbox is gone`, {
    details: 'its runtime makes a new one; win-hcn ls namespaces shows those there are',
  });
}
