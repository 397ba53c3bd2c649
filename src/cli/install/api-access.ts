import { CniError, code, errorMessage } from '../../cni/error.ts';
import { isMissingFile } from '../terminal/file-error.ts';
import type { Session } from '../terminal/session.ts';

/** How to reach the Kubernetes API server. */
export interface ApiAccess {
  /** Without a trailing slash. */
  readonly server: string;
  readonly token: string;
  /** In PEM. */
  readonly ca: string;
}

/**
 * Reads the service account of the pod that this process runs in. Read it again for each request, because kubelet replaces the token.
 * Throws an error with the fix.
 */
export function readApiAccess(apiServer: string | undefined, session: Session): ApiAccess {
  const server = apiServer ?? inClusterServer(session);
  const { file, text: token } = readServiceAccount('token', session);
  if (token.trim() === '') throw new CniError(code.ioFailure, `${file} is empty: restart the pod`);
  const ca = readServiceAccount('ca.crt', session);
  // With an empty one, Node trusts public CAs.
  if (ca.text.trim() === '')
    throw new CniError(
      code.ioFailure,
      `${ca.file} is empty: check ConfigMap kube-root-ca.crt in the pod's namespace`,
    );
  return { server, token: token.trim(), ca: ca.text };
}

/** https://kubernetes.io/docs/tasks/run-application/access-api-from-pod/ */
function inClusterServer({ system: { environment } }: Session): string {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = environment;
  if (!host)
    throw new CniError(
      code.ioFailure,
      '--node needs the address of the Kubernetes API server, but KUBERNETES_SERVICE_HOST is not set. ' +
        'Outside of a pod, add --api-server https://HOST:6443',
    );
  return `https://${host.includes(':') ? `[${host}]` : host}:${port || '443'}`;
}

const serviceAccount = 'var/run/secrets/kubernetes.io/serviceaccount';

/**
 * The folders of the service account: containerd 1.6 mounts it only below the container's image; containerd 1.7 and later also at its
 * usual path. The variable ends with a backslash.
 */
function serviceAccountFolders({ system: { environment, windows } }: Session): readonly string[] {
  const image = environment['CONTAINER_SANDBOX_MOUNT_POINT']?.replace(/(?<![\\/])[\\/]+$/, '');
  const usual = windows ? 'C:' : '';
  const roots = image === undefined ? [usual] : [image, usual];
  return roots.map((root) => `${root}/${serviceAccount}`.replaceAll('/', windows ? '\\' : '/'));
}

/** Reads a file of the service account in the first folder that has it. */
function readServiceAccount(
  name: 'token' | 'ca.crt',
  session: Session,
): { readonly file: string; readonly text: string } {
  const separator = session.system.windows ? '\\' : '/';
  const files = serviceAccountFolders(session).map((folder) => `${folder}${separator}${name}`);
  for (const file of files) {
    try {
      return { file, text: new TextDecoder().decode(session.terminal.readFile(file)) };
    } catch (cause) {
      if (!isMissingFile(cause))
        throw new CniError(code.ioFailure, `cannot read the pod's service account: ${errorMessage(cause)}`, {
          cause,
        });
    }
  }
  throw new CniError(
    code.ioFailure,
    `--node needs the pod's service account, but ${files.join(' and ')} ${files.length > 1 ? 'do' : 'does'} not exist. ` +
      'Set serviceAccountName and automountServiceAccountToken: true in the pod, as in deploy/base',
  );
}
