import { CniError, code, errorMessage } from '../../cni/error.ts';
import { isObject, parseObject } from '../../json/members.ts';
import { formatPrefix, networkOf, parsePrefix } from '../../net/prefix.ts';
import type { ApiAccess } from './api-access.ts';
import type { HttpsRequest, HttpsResponse } from './https-get.ts';

/** A node's PodCIDRs cannot be read. */
export class NodeError extends CniError {
  override readonly name = 'NodeError';
  /** Whether a later attempt can succeed without a change by an administrator. */
  readonly isTemporary: boolean;

  constructor(message: string, isTemporary: boolean, cause?: unknown) {
    super(isTemporary ? code.tryAgainLater : code.ioFailure, message, { cause });
    this.isTemporary = isTemporary;
  }
}

type Get = (request: HttpsRequest, seconds: number) => Promise<HttpsResponse>;

/** Reads the PodCIDRs of a node, at least one. Throws NodeError with the fix. */
export async function readPodCidrs(
  node: string,
  { server, ...credentials }: ApiAccess,
  get: Get,
  seconds = 10,
): Promise<readonly string[]> {
  const url = `${server}/api/v1/nodes/${encodeURIComponent(node)}`;
  const { status, body } = await get({ url, ...credentials }, seconds).catch((error: unknown) => {
    throw connectionError(node, server, seconds, error);
  });
  const answer = parseObject(body);
  if (status !== 200) throw statusError(node, server, status, answer);
  return podCidrsOf(node, server, answer);
}

function podCidrsOf(node: string, server: string, answer: object): readonly string[] {
  const spec = 'spec' in answer && isObject(answer.spec) ? answer.spec : {};
  if (!('kind' in answer) || answer.kind !== 'Node')
    throw new NodeError(
      `${server} did not return a node for ${node}. Check that --api-server or KUBERNETES_SERVICE_HOST is a Kubernetes API server`,
      false,
    );
  const { podCIDR: first, podCIDRs: all } = spec;
  const given: readonly unknown[] = Array.isArray(all) && all.length > 0 ? all : first ? [first] : [];
  if (given.length === 0)
    throw new NodeError(
      `node ${node} has no PodCIDR yet. If it stays so, run kube-controller-manager with --allocate-node-cidrs and --cluster-cidr, or ` +
        'write the subnet into the conflist instead of placeholders',
      true,
    );
  return given.map((text) => {
    const prefix = typeof text === 'string' ? parsePrefix(text) : undefined;
    if (prefix === undefined)
      throw new NodeError(`node ${node} has the invalid PodCIDR ${JSON.stringify(text)}`, false);
    return formatPrefix(networkOf(prefix));
  });
}

/** What to do about each status of the API server. https://kubernetes.io/docs/reference/using-api/api-concepts/ */
const fixes: Readonly<Record<number, string>> = {
  401: 'The token is not valid: restart the pod, and check that its service account still exists',
  403: 'The service account needs get on nodes: apply deploy/base/rbac.yaml',
  404: 'Pass the name that kubectl get nodes lists, as spec.nodeName in the pod',
};

function statusError(node: string, server: string, status: number, answer: object): NodeError {
  const reason = 'message' in answer && typeof answer.message === 'string' ? ` (${answer.message})` : '';
  const isTemporary = status === 429 || status >= 500;
  const fix =
    fixes[status] ?? (isTemporary ? 'Retry later' : `Check that ${server} is a Kubernetes API server`);
  return new NodeError(
    `cannot read node ${node}: ${server} returned status ${status}${reason}. ${fix}`,
    isTemporary,
  );
}

const unreachable =
  'If the address belongs to a Service, it may not work before kube-proxy runs: use the API server itself, with --api-server or ' +
  'KUBERNETES_SERVICE_HOST';

const wrongCertificate =
  "Check that --api-server is the cluster's API server, by a name or address in its certificate, and that ca.crt in the service account's folder is its CA";

/** Node's codes, and OpenSSL's of an invalid certificate. https://nodejs.org/docs/latest-v24.x/api/tls.html#x509-certificate-error-codes */
const connectionProblems: ReadonlyMap<unknown, readonly [reason: string, fix: string]> = new Map([
  ['ECONNREFUSED', ['it refuses connections', unreachable]],
  ['ECONNRESET', ['it closed the connection', 'Retry later']],
  ['EHOSTUNREACH', ['there is no route to it', unreachable]],
  ['ENETUNREACH', ['there is no route to it', unreachable]],
  ['ETIMEDOUT', ['it does not respond', unreachable]],
  [
    'ENOTFOUND',
    ['its name cannot be resolved', 'Use its IP address: nodes do not use the DNS of the cluster'],
  ],
  [
    'EAI_AGAIN',
    ['its name cannot be resolved', 'Use its IP address: nodes do not use the DNS of the cluster'],
  ],
  ['CERT_HAS_EXPIRED', ['its certificate has expired', "Check the node's clock, and renew the certificate"]],
  ['CERT_NOT_YET_VALID', ['its certificate is not valid yet', "Check the node's clock"]],
  ['ERR_TLS_CERT_ALTNAME_INVALID', ['its certificate is for other names', wrongCertificate]],
]);

function connectionError(node: string, server: string, seconds: number, error: unknown): NodeError {
  const [reason, fix] = connectionProblem(seconds, error);
  return new NodeError(
    `cannot read node ${node}: ${server} cannot be used: ${reason}. ${fix}`,
    fix !== wrongCertificate,
    error,
  );
}

function connectionProblem(seconds: number, error: unknown): readonly [reason: string, fix: string] {
  const found = isObject(error) || error instanceof Error ? (error as { code?: unknown }).code : undefined;
  if (error instanceof Error && error.name === 'AbortError')
    return [`it did not respond within ${seconds} s`, unreachable];
  const known = connectionProblems.get(found);
  if (known !== undefined) return known;
  // What remains of OpenSSL's verification errors: an unknown or self-signed issuer.
  const isUntrusted = /CERT|SIGNATURE|ISSUER/.test(String(found));
  return isUntrusted
    ? ['its certificate was not issued by the CA of the service account', wrongCertificate]
    : [errorMessage(error), 'Retry later'];
}
