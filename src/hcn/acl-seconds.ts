import type { HcnCall } from './around-calls.ts';
import type { Policy } from './documents.ts';

/** azure-npm sends at most this many ACLs in one call (Azure/azure-container-networking, npm/config/config.go). */
const batch = 30;

/**
 * Extra time for each further batch. In Azure/azure-container-networking#1893 batches of 33 ACLs for 500 network policies took 70 s,
 * or 4.6 s each.
 */
const secondsPerBatch = 5;

/** Upper limit in seconds: kubelet waits four minutes for a pod's sandbox. */
const most = 60;

/**
 * The extra seconds a call gets for its ACLs: none up to 30 rules, then 5 s for each further 30 or part of 30, at most 60 s.
 * HNS programs each rule into the virtual switch before it returns.
 */
export function aclSeconds({ name, document }: Pick<HcnCall, 'name' | 'document'>): number {
  const further = countAcls(name, document) - batch;
  return Math.min(most, Math.max(0, Math.ceil(further / batch)) * secondsPerBatch);
}

/** The document is our own, as `hcnClient` wrote it. */
function countAcls(name: string, document = '{}'): number {
  const written: EndpointDocument = name in policiesIn ? JSON.parse(document) : {};
  const policies = policiesIn[name]?.(written) ?? [];
  return policies.filter(({ Type }) => Type === 'ACL').length;
}

interface EndpointDocument {
  readonly Policies?: readonly Policy[];
  readonly Settings?: { readonly Policies?: readonly Policy[] };
}

/** The policies in the document of each call that sets an endpoint's policies. */
const policiesIn: Readonly<Record<string, (document: EndpointDocument) => readonly Policy[] | undefined>> = {
  HcnCreateEndpoint: ({ Policies }) => Policies,
  HcnModifyEndpoint: ({ Settings }) => Settings?.Policies,
};
