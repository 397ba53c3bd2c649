import type { HostComputeNamespace } from '../../hcn/documents.ts';

/** The containers that run in a namespace. */
export function containersIn(namespace: HostComputeNamespace | undefined): readonly string[] {
  return (
    namespace?.Resources?.flatMap(({ Type, Data }) =>
      Type.toLowerCase() === 'container' ? (Data.Id ?? []) : [],
    ) ?? []
  );
}
