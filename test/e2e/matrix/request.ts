import type { Answer, Call } from '../node.ts';
import type { Bench } from './bench.ts';
import type { Command } from './scenario.ts';

/** A command for an attachment, with the runtime's additions to its configuration. GC lists only the neighbor as valid. */
export function request({ call, scenario }: Bench, command: Command, prevResult: unknown): Call {
  switch (command) {
    case 'CHECK':
      return { ...call, config: { ...call.config, prevResult } };
    case 'GC': {
      const valid = [{ containerID: 'neighbor', ifname: 'eth0' }];
      return { ...call, config: { ...call.config, 'cni.dev/valid-attachments': valid } };
    }
    case 'DEL':
      return scenario.withoutNetns ? { ...call, environment: { CNI_NETNS: '' } } : call;
    case 'ADD':
    case 'STATUS':
      return call;
  }
}

/** Returns the code of an error, or 0 for success. */
export function codeOf({ exitCode, json }: Answer): number {
  return exitCode === 0 ? 0 : json?.code;
}
