import { CniError, code, messageBytes, shortMessage, toCniError } from '../cni/error.ts';
import { findCniArg } from '../cni/request.ts';
import { readLogFile } from '../config/essential-keys.ts';
import { PluginError } from '../ipam/delegate.ts';
import type { JsonObject } from '../json/members.ts';
import { elapsedSince, type Log, newLog } from '../log/log.ts';
import type { System } from '../system.ts';

/**
 * The log of one request: `configured` opens the log file that the configuration names, `given` as before its translation to win-hcn's own
 * keys; `failed` returns the error for the caller, with the log file in its details, or an IPAM plugin's error unchanged. Lines are buffered
 * until the log file is known. STATUS, which runtimes call every few seconds, is logged only if it fails or has a
 * notice; VERSION is not logged.
 */
export function openRequestLog(system: System, observe: Log['write']) {
  const { environment, now, clock } = system;
  const id = system.newRequestId();
  const { write: buffer, release } = newLog(id, clock);
  let hasNotice = false;
  const write: Log['write'] = (entry) => {
    hasNotice ||= entry.event === 'notice';
    buffer(entry);
    observe(entry);
  };
  const started = now();
  const command = environment['CNI_COMMAND'] ?? '';
  let file = system.logFile;
  const releaseToFile = () => file !== '' && release(system.openLog(file));
  const finish = (ended: number, error?: CniError) => {
    const milliseconds = elapsedSince(started, now);
    const { message, unquoted, details } = error ?? {};
    const texts = unquoted === undefined ? { msg: message, details } : { msg: unquoted };
    write({ event: 'answer', milliseconds, code: ended, ...texts, stack: error && stackOf(error) });
  };
  write({
    event: 'request',
    version: process.env['WIN_HCN_VERSION'] ?? 'from its sources',
    command,
    containerId: environment['CNI_CONTAINERID'],
    ifname: environment['CNI_IFNAME'],
    netns: environment['CNI_NETNS'],
    pod: findPod(environment['CNI_ARGS'] ?? ''),
  });
  return {
    write,
    configured: (json: JsonObject, given: JsonObject) => {
      file = readLogFile(json) ?? system.logFile;
      const [name, cniVersion, type] = [json['name'], json['cniVersion'], given['type']].map((value) =>
        typeof value === 'string' ? value.slice(0, 100) : undefined,
      );
      write({ event: 'configuration', name, type, cniVersion });
      if (command !== 'STATUS') releaseToFile();
    },
    succeeded: () => {
      finish(0);
      if (hasNotice) releaseToFile();
    },
    failed: (thrown: unknown): CniError => {
      const error = toCniError(thrown);
      finish(error.code, error);
      const isWritten = releaseToFile();
      if (!isWritten || error instanceof PluginError) return error;
      const place = `logged in ${file} as request ${id}`;
      const rest = messageBytes - Buffer.byteLength(JSON.stringify(`; ${place}`)) + 2;
      const details = [shortMessage(error.details, rest), place].filter(Boolean).join('; ');
      return new CniError(error.code, error.message, { details, cause: error });
    },
  };
}

/** The frames of the stack of an internal error. `packaging/read-stack.mjs` finds the sources of those in the exe. */
function stackOf({ code: own, cause }: CniError): string | undefined {
  if (own !== code.internal || !(cause instanceof Error)) return undefined;
  return cause.stack
    ?.split('\n')
    .filter((line) => line.startsWith('    at '))
    .join('\n');
}

/** `namespace/name` of the pod, which kubelet's runtimes pass in CNI_ARGS. */
function findPod(cniArgs: string): string | undefined {
  const name = findCniArg(cniArgs, 'K8S_POD_NAME');
  return name && `${findCniArg(cniArgs, 'K8S_POD_NAMESPACE') ?? ''}/${name}`;
}
