import type { Command } from 'commander';
import { probeCommand } from '../probe/command.ts';
import { newCommand } from '../terminal/new-command.ts';
import type { Session } from '../terminal/session.ts';
import { cniCommand } from './cni.ts';
import { endpointCommand } from './endpoint.ts';
import { loadBalancerCommand } from './load-balancer.ts';
import { namespaceCommand } from './namespace.ts';

/** `debug`: the commands that replace a runtime, kube-proxy or HNS by hand. */
export function debugCommand(session: Session): Command {
  return newCommand('debug', session, {
    summary: 'run the plugin, change single HCN objects, or test HNS',
    description: 'Commands for tests and repairs.',
    examples: [
      'win-hcn debug cni status --conf C:\\etc\\cni\\net.d\\10-win-hcn.conflist',
      'win-hcn debug endpoint delete 5efcf8b5',
    ],
    subcommands: [
      cniCommand(session),
      endpointCommand(session),
      namespaceCommand(session),
      loadBalancerCommand(session),
      probeCommand(session),
    ],
  });
}
