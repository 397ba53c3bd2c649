import { InvalidArgumentError, Option } from 'commander';
import { CniError, code, errorMessage, invalidConfig, shortMessage } from '../../cni/error.ts';
import { parseObject } from '../../json/members.ts';
import { fillPlaceholders } from '../conflist/placeholders.ts';
import { isNodeName, readPodSubnets } from '../network/cluster-node.ts';
import { membersOf } from '../terminal/kubectl-list.ts';
import type { Session } from '../terminal/session.ts';

/** The option that names this node. */
export interface NodeFlags {
  /** The name of this node in Kubernetes. */
  readonly node?: string;
}

/** `--node`. */
export function nodeOption(): Option {
  return new Option(
    '--node <name>',
    'fill the placeholders of the configuration with the PodCIDRs of this Kubernetes node, as in deploy/base',
  ).argParser((text) => {
    if (isNodeName(text)) return text;
    throw new InvalidArgumentError('expected the name of a node, as in kubectl get nodes');
  });
}

/**
 * Replaces the placeholders of a conflist with this node's PodCIDRs. Only a conflist with placeholders needs `--node` and the Kubernetes
 * API. Throws CniError with the fix.
 */
export async function fillConflist(
  bytes: Uint8Array,
  file: string,
  { node }: NodeFlags,
  session: Session,
): Promise<Uint8Array> {
  const conflist = new TextDecoder().decode(bytes);
  // JSON has no `{{` outside strings.
  if (!conflist.includes('{{')) return bytes;
  if (node === undefined)
    throw invalidConfig(
      `${file} has placeholders, such as {{.PodCIDR}}. Add --node with the name of this node in Kubernetes, or replace them`,
    );
  const podCidrs = await readPodCidrs(node, readApiAccess(session));
  return new TextEncoder().encode(fillPlaceholders(conflist, podCidrs));
}

/** How to reach the Kubernetes API server. */
export interface ApiAccess {
  /** Without a trailing slash. */
  readonly server: string;
  readonly token: string;
  /** The CA to trust, in PEM. */
  readonly ca: string;
}

/**
 * Reads the service account of the HostProcess pod that this process runs in. All versions of containerd mount it below the container's
 * image. Throws CniError with the fix. https://kubernetes.io/docs/tasks/configure-pod-container/create-hostprocess-pod/
 */
export function readApiAccess({ system, terminal }: Session): ApiAccess {
  const {
    KUBERNETES_SERVICE_HOST: host,
    KUBERNETES_SERVICE_PORT: port = '443',
    CONTAINER_SANDBOX_MOUNT_POINT: image,
  } = system.environment;
  if (!host || !image)
    throw new CniError(code.ioFailure, '--node works only in a HostProcess pod, such as that of deploy/base');
  const folder = `${image.replace(/[\\/]$/, '')}/var/run/secrets/kubernetes.io/serviceaccount`;
  const read = (name: string) => {
    const path = `${folder}/${name}`;
    const text = new TextDecoder().decode(terminal.readFile(path)).trim();
    // With an empty CA, Node trusts public ones.
    if (text === '') throw new CniError(code.ioFailure, `${path} is empty: restart the pod`);
    return text;
  };
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return { server, token: read('token'), ca: read('ca.crt') };
}

/** Reads the PodCIDRs of a node, at least one. Throws CniError with the fix. */
export async function readPodCidrs(
  node: string,
  { server, token, ca }: ApiAccess,
  get = httpsGet,
): Promise<readonly string[]> {
  const from = `cannot read node ${node} from ${server}`;
  const url = `${server}/api/v1/nodes/${encodeURIComponent(node)}`;
  const { status, body } = await get({ url, token, ca }).catch((cause: unknown) => {
    const fix = 'The address of a Service may not work before kube-proxy runs: see deploy/README.md';
    throw new CniError(code.tryAgainLater, `${from}: ${errorMessage(cause)}. ${fix}`, { cause });
  });
  const { message, spec } = parseObject(body);
  if (status !== 200) {
    const fix = 'The service account needs get on nodes, as in deploy/base/rbac.yaml';
    const reason = typeof message === 'string' ? shortMessage(message, 200) : 'no message';
    throw new CniError(code.ioFailure, `${from}: status ${status} (${reason}). ${fix}`);
  }
  const podSubnets = readPodSubnets(membersOf(spec));
  if (typeof podSubnets === 'string') throw new CniError(code.ioFailure, `node ${node} ${podSubnets}`);
  if (podSubnets.length === 0)
    throw new CniError(
      code.tryAgainLater,
      `node ${node} has no PodCIDR yet. If it stays so, run kube-controller-manager with --allocate-node-cidrs and --cluster-cidr, or ` +
        'write the subnet into the conflist instead of placeholders',
    );
  return podSubnets;
}

/** More than any node object, whose size the API server limits. */
const maximumBytes = 8 * 1024 * 1024;

/** Sends a GET request. Does not follow redirects, which would pass the token on. Rejects with Node's error. */
export async function httpsGet(
  { url, ca, token }: { readonly url: string; readonly ca: string; readonly token: string },
  seconds = 10,
): Promise<{ readonly status: number; readonly body: string }> {
  const { request } = await import('node:https');
  const signal = AbortSignal.timeout(seconds * 1000);
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    // No connection outlives the request. The CA is in a list, because Node trusts all public ones if it is an empty text.
    const sent = request(url, { ca: [ca], agent: false, headers, signal }, (response) => {
      readBody(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    });
    sent.on('error', reject);
    sent.end();
  });
}

async function readBody(response: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maximumBytes) throw new Error(`the response has more than ${maximumBytes} bytes`);
  }
  return Buffer.concat(chunks).toString();
}
