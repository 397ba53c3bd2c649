import { type Command, InvalidArgumentError } from 'commander';
import { CniError, code, errorMessage, invalidConfig } from '../../cni/error.ts';
import { isObject, parseObject } from '../../json/members.ts';
import { firstHost, formatPrefix, networkOf, parsePrefix, secondHost } from '../../net/prefix.ts';
import { isNodeName } from '../network/cluster-node.ts';
import { isMissingFile } from '../terminal/files.ts';
import type { Session } from '../terminal/session.ts';

/** How to reach the Kubernetes API server. */
export interface ApiAccess {
  /** Without a trailing slash. */
  readonly server: string;
  readonly token: string;
  /** The CA to trust, in PEM. */
  readonly ca: string;
}

/**
 * Reads the service account of the pod that this process runs in. Throws CniError with the fix.
 * https://kubernetes.io/docs/tasks/run-application/access-api-from-pod/
 */
export function readApiAccess(session: Session): ApiAccess {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = session.system.environment;
  if (!host)
    throw new CniError(
      code.ioFailure,
      '--node needs the address of the Kubernetes API server in KUBERNETES_SERVICE_HOST, as in a pod',
    );
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port || '443'}`;
  return { server, token: readServiceAccount('token', session), ca: readServiceAccount('ca.crt', session) };
}

/** Reads a file of the service account: containerd 1.6 mounts it only below the container's image, later versions also at its usual path. */
function readServiceAccount(name: 'token' | 'ca.crt', { system, terminal }: Session): string {
  const { environment, windows } = system;
  const image = environment['CONTAINER_SANDBOX_MOUNT_POINT']?.replace(/(?<![\\/])[\\/]+$/, '');
  const paths = [image ?? [], windows ? 'C:' : '']
    .flat()
    .map((root) => `${root}/var/run/secrets/kubernetes.io/serviceaccount/${name}`)
    .map((path) => path.replaceAll('/', windows ? '\\' : '/'));
  for (const path of paths) {
    try {
      const text = new TextDecoder().decode(terminal.readFile(path)).trim();
      // With an empty CA, Node trusts public ones.
      if (text === '') throw new CniError(code.ioFailure, `${path} is empty: restart the pod`);
      return text;
    } catch (error) {
      if (!isMissingFile(error)) throw error;
    }
  }
  throw new CniError(
    code.ioFailure,
    `--node needs the pod's service account, but there is no ${paths.join(' or ')}. ` +
      'Set serviceAccountName and automountServiceAccountToken: true in the pod, as in deploy/base',
  );
}

/** What to do about a status of the API server. https://kubernetes.io/docs/reference/using-api/api-concepts/ */
const fixes: Readonly<Record<number, string>> = {
  401: 'The token is not valid: restart the pod, and check that its service account still exists',
  403: 'The service account needs get on nodes: apply deploy/base/rbac.yaml',
  404: 'Pass the name that kubectl get nodes lists, as spec.nodeName in the pod',
};

/** Reads the PodCIDRs of a node, at least one. Throws CniError with the fix. */
export async function readPodCidrs(
  node: string,
  { server, token, ca }: ApiAccess,
  get = httpsGet,
): Promise<readonly string[]> {
  const from = `cannot read node ${node} from ${server}`;
  const url = `${server}/api/v1/nodes/${encodeURIComponent(node)}`;
  const { status, body } = await get({ url, token, ca }).catch((cause: unknown) => {
    const fix =
      'Check that it is the address of the API server itself: that of a Service may not work before kube-proxy runs';
    throw new CniError(code.tryAgainLater, `${from}: ${errorMessage(cause)}. ${fix}`, { cause });
  });
  const { message, spec } = parseObject(body);
  if (status !== 200) {
    const fix = fixes[status] ?? 'Check that it is a Kubernetes API server';
    throw new CniError(code.ioFailure, `${from}: status ${status} (${message ?? 'no message'}). ${fix}`);
  }
  const { podCIDR: first, podCIDRs: all } = isObject(spec) ? spec : {};
  const given: readonly unknown[] = Array.isArray(all) && all.length > 0 ? all : first ? [first] : [];
  if (given.length === 0)
    throw new CniError(
      code.tryAgainLater,
      `node ${node} has no PodCIDR yet. If it stays so, run kube-controller-manager with --allocate-node-cidrs and --cluster-cidr, or ` +
        'write the subnet into the conflist instead of placeholders',
    );
  return given.map((text) => {
    const prefix = typeof text === 'string' ? parsePrefix(text) : undefined;
    if (prefix !== undefined) return formatPrefix(networkOf(prefix));
    throw new CniError(code.ioFailure, `node ${node} has the invalid PodCIDR ${JSON.stringify(text)}`);
  });
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
      const status = response.statusCode ?? 0;
      readBody(response).then((body) => resolve({ status, body }), reject);
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

/** The option that names this node. */
export interface NodeFlags {
  /** The name of this node in Kubernetes. */
  readonly node?: string;
}

/** Adds `--node`. */
export function withNode(command: Command): Command {
  return command.option(
    '--node <name>',
    'fill the placeholders of the configuration with the PodCIDRs of this Kubernetes node',
    parseName,
  );
}

function parseName(text: string): string {
  if (isNodeName(text)) return text;
  throw new InvalidArgumentError('expected the name of a node, as in kubectl get nodes');
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

/** `{{.PodCIDR}}` or `{{index .PodCIDRRanges 1}}`, as in containerd's conf_template. */
const rangePlaceholder = /^(?:\.PodCIDR|index \.PodCIDRRanges (\d+))$/;
/** `{{address .PodCIDR 2}}` or `{{address (index .PodCIDRRanges 1) 2}}`: win-hcn's own, for the first or second address. */
const addressPlaceholder = /^address (?:\.PodCIDR|\(index \.PodCIDRRanges (\d+)\)) ([12])$/;

/** Replaces the placeholders of a conflist. Throws CniError that names the first one that has no value. */
export function fillPlaceholders(conflist: string, podCidrs: readonly string[]): string {
  return conflist.replaceAll(/\{\{(.*?)(?:\}\}|$)/gms, (found, inner: string) => {
    const words = inner.trim().replaceAll(/\s+/g, ' ');
    const match = rangePlaceholder.exec(words) ?? addressPlaceholder.exec(words);
    if (!found.endsWith('}}') || match === null)
      throw invalidConfig(
        `${found} is not a placeholder. Use {{.PodCIDR}}, {{index .PodCIDRRanges 1}}, {{address .PodCIDR 2}} or ` +
          '{{address (index .PodCIDRRanges 1) 2}}',
      );
    const [, index = 0, number] = match;
    const cidr = podCidrs[Number(index)];
    const prefix = cidr && parsePrefix(cidr);
    const value = number === undefined ? cidr : prefix && (number === '1' ? firstHost : secondHost)(prefix);
    if (value) return value;
    throw invalidConfig(
      `${found} has no value: the node has only ${podCidrs.join(' and ')}. ` +
        'Delete what uses the placeholder, or give the cluster a pod network of both address families',
    );
  });
}
