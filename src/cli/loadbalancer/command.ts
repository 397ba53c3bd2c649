import type { Command } from 'commander';
import { newCommand } from '../new-command.ts';
import { yesOption } from '../options.ts';
import type { Session } from '../session.ts';
import { applyLoadBalancer, deleteLoadBalancer } from './load-balancers.ts';

const example = JSON.stringify({
  name: 'dns',
  network: 'l2bridge',
  frontendVIPs: ['10.96.0.10'],
  ports: [{ protocol: 'udp', port: 53 }],
  backends: ['10.244.1.2'],
});

/** `loadbalancer`: creates, updates and deletes HCN load balancers. */
export function loadBalancerCommand(session: Session): Command {
  return newCommand('loadbalancer', session, {
    summary: 'create, update or delete a load balancer',
    description: 'Creates, updates and deletes HCN load balancers. List them with win-hcn ls loadbalancers.',
    examples: ['win-hcn loadbalancer apply dns.json', 'win-hcn loadbalancer delete dns'],
    subcommands: [applyCommand(session), deleteCommand(session)],
  });
}

function applyCommand(session: Session): Command {
  return newCommand('loadbalancer apply', session, {
    summary: 'create or update a load balancer from its configuration',
    description:
      'Creates or updates the load balancer of a configuration, with remote endpoints for backends on other nodes. Rolls ' +
      'back on failure. Problems in the file are reported with line and column; its schema is ' +
      'schemas/load-balancer.schema.json. kube-proxy adopts a load balancer that matches the VIP, protocol, ports and ' +
      'backends of a Service, and deletes it when that Service changes: choose a VIP that no Service uses.',
    examples: ['win-hcn loadbalancer apply dns.json', `'${example}' | win-hcn loadbalancer apply -`],
  })
    .argument('<file>', 'configuration of a load balancer; - for stdin')
    .action((file: string) => applyLoadBalancer(file, session));
}

function deleteCommand(session: Session): Command {
  return newCommand('loadbalancer delete', session, {
    summary: 'delete a load balancer and its unused remote endpoints',
    description:
      'Deletes a load balancer, and the remote endpoints of win-hcn that no other load balancer uses. If the load ' +
      'balancer of a configuration file does not exist, the exit code is 0.',
    examples: ['win-hcn loadbalancer delete dns', 'win-hcn loadbalancer delete dns.json --yes'],
  })
    .argument('<file-or-name>', 'configuration file, name (only if win-hcn created it), ID or ID prefix')
    .option(...yesOption)
    .action((given: string, { yes = false }: { readonly yes?: boolean }) =>
      deleteLoadBalancer(given, yes, session),
    );
}
