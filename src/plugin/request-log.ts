import { type CniError, toCniError, withDetails } from '../cni/error.ts';
import { findCniArg } from '../cni/request.ts';
import { readLogFile } from '../config/essential-keys.ts';
import { PluginError } from '../ipam/delegate.ts';
import type { JsonObject } from '../json/members.ts';
import { elapsedSince, type Log, newLog } from '../log/log.ts';
import type { System } from '../system.ts';

/** The log of one request, from what it asks for to what it is answered. */
export interface RequestLog extends Pick<Log, 'write'> {
  /** Says where the log goes, by a configuration in our vocabulary: `given` is what it was translated from. */
  configured(json: JsonObject, given: JsonObject): void;
  succeeded(): void;
  /** The failure for the caller. Its details say where the log is, but for what an IPAM plugin said: that stays as it is. */
  failed(error: unknown): CniError;
}

/**
 * Lines are buffered until the configuration says where the log is. STATUS, which runtimes call every few seconds, is logged only when
 * it fails or has a notice; VERSION never.
 */
export function openRequestLog(system: System, observe: Log['write']): RequestLog {
  const { environment, now, clock } = system;
  const id = system.newRequestId();
  const { write: keep, release } = newLog(id, clock);
  let hasNotice = false;
  const write: Log['write'] = (entry) => {
    hasNotice ||= entry.event === 'notice';
    keep(entry);
    observe(entry);
  };
  const started = now();
  const command = environment['CNI_COMMAND'] ?? '';
  let file = system.logFile;
  const releaseToFile = () => file !== '' && release(system.openLog(file));
  const answered = (code: number, error?: CniError) => {
    const milliseconds = elapsedSince(started, now);
    const { message, unquoted, details } = error ?? {};
    const said = unquoted === undefined ? { msg: message, details } : { msg: unquoted };
    write({ event: 'answer', milliseconds, code, ...said });
  };
  write({
    event: 'request',
    version: process.env['WIN_HCN_VERSION'] ?? 'from its sources',
    command,
    containerId: environment['CNI_CONTAINERID'],
    ifname: environment['CNI_IFNAME'],
    netns: environment['CNI_NETNS'],
    pod: podIn(environment['CNI_ARGS'] ?? ''),
  });
  return {
    write,
    configured: (json, given) => {
      file = readLogFile(json) ?? system.logFile;
      const [name, cniVersion, type] = [json['name'], json['cniVersion'], given['type']].map(shortText);
      write({ event: 'configuration', name, type, cniVersion });
      if (command !== 'STATUS') releaseToFile();
    },
    succeeded: () => {
      answered(0);
      if (hasNotice) releaseToFile();
    },
    failed: (thrown) => {
      const error = toCniError(thrown);
      answered(error.code, error);
      const isWritten = releaseToFile();
      if (!isWritten || error instanceof PluginError) return error;
      return withDetails(error, `${file} has it as request ${id}`);
    },
  };
}

/** What is meant to be a name or a version; anything else is nobody's business. */
function shortText(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, 100) : undefined;
}

/** `namespace/name`, as kubelet's runtimes tell it in CNI_ARGS. */
function podIn(cniArgs: string): string | undefined {
  const name = findCniArg(cniArgs, 'K8S_POD_NAME');
  return name && `${findCniArg(cniArgs, 'K8S_POD_NAMESPACE') ?? ''}/${name}`;
}
