import { type Command, InvalidArgumentError } from 'commander';
import { CniError, code, invalidConfig } from '../../cni/error.ts';
import { isNodeName } from '../nodes/cluster-node.ts';
import type { Session } from '../terminal/session.ts';
import { readApiAccess } from './api-access.ts';
import { fillPlaceholders, hasPlaceholders } from './placeholders.ts';
import { NodeError, readPodCidrs } from './read-node.ts';

export interface NodeFlags {
  /** The name of this node in Kubernetes. */
  readonly node?: string;
  readonly apiServer?: string;
}

/** Adds `--node` and `--api-server`. */
export function withNode(command: Command): Command {
  return command
    .option(
      '--node <name>',
      'fill the placeholders of the configuration with the PodCIDRs of this Kubernetes node',
      parseName,
    )
    .option(
      '--api-server <url>',
      'Kubernetes API server for --node (default: https://KUBERNETES_SERVICE_HOST:KUBERNETES_SERVICE_PORT)',
      parseApiServer,
    );
}

function parseName(text: string): string {
  if (isNodeName(text)) return text;
  throw new InvalidArgumentError('expected the name of a node, as in kubectl get nodes');
}

/** Only HTTPS, because the request contains a token. */
function parseApiServer(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' && url.search === '' && url.hash === '' && url.username === '')
    return text.replace(/(?<!\/)\/+$/, '');
  throw new InvalidArgumentError('expected a URL such as https://10.0.0.10:6443');
}

const pauseSeconds = 2;

/**
 * Replaces the placeholders of a conflist with this node's PodCIDRs, and retries for `seconds` while they cannot be read. Only a conflist
 * with placeholders needs `--node` and the Kubernetes API. Throws an error with the fix.
 */
export async function fillConflist(
  bytes: Uint8Array,
  file: string,
  flags: NodeFlags,
  seconds: number,
  session: Session,
): Promise<Uint8Array> {
  const conflist = new TextDecoder().decode(bytes);
  if (!hasPlaceholders(conflist)) return bytes;
  if (flags.node === undefined)
    throw invalidConfig(
      `${file} has placeholders, such as {{.PodCIDR}}. Add --node with the name of this node in Kubernetes, or replace them`,
    );
  const podCidrs = await retryReading(flags.node, flags.apiServer, seconds, session);
  return new TextEncoder().encode(fillPlaceholders(conflist, podCidrs));
}

async function retryReading(
  node: string,
  apiServer: string | undefined,
  seconds: number,
  session: Session,
): Promise<readonly string[]> {
  const { httpsGet } = await import('./https-get.ts');
  const { system, terminal } = session;
  const end = system.now() + seconds * 1000;
  let reported = '';
  for (;;) {
    try {
      return await readPodCidrs(node, readApiAccess(apiServer, session), httpsGet);
    } catch (error) {
      if (!(error instanceof NodeError) || !error.isTemporary || seconds === 0) throw error;
      if (system.now() >= end)
        throw new CniError(code.tryAgainLater, `${error.message} (retried for ${seconds} s)`, {
          cause: error,
        });
      if (error.message !== reported)
        session.printStderr(`win-hcn: ${error.message}; retrying for ${seconds} s`);
      reported = error.message;
      await terminal.pause(pauseSeconds, new AbortController().signal);
    }
  }
}
