import type { Command } from 'commander';
import { newCommand } from '../new-command.ts';
import { yesOption } from '../options.ts';
import type { Session } from '../session.ts';
import { applyLoadBalancer } from './apply.ts';
import { deleteLoadBalancer } from './delete.ts';

const example = JSON.stringify({
  name: 'dns',
  network: 'l2bridge',
  frontendVIPs: ['10.96.0.10'],
  ports: [{ protocol: 'udp', port: 53 }],
  backends: ['10.244.1.2'],
});

/** `loadbalancer`: HCN load balancers by hand. */
export function loadBalancerCommand(session: Session): Command {
  return newCommand('loadbalancer', session, {
    summary: 'make a load balancer what its configuration says, or delete one',
    description: 'HCN load balancers by hand. Run win-hcn ls loadbalancers to list load balancers.',
    examples: ['win-hcn loadbalancer apply dns.json', 'win-hcn loadbalancer delete dns'],
  })
    .helpCommand('help [command]', 'show the help of a command')
    .addCommand(applyCommand(session))
    .addCommand(deleteCommand(session));
}

function applyCommand(session: Session): Command {
  return newCommand('loadbalancer apply', session, {
    summary: 'make a load balancer what its configuration says',
    description:
      'Makes the load balancer of a configuration, with remote endpoints for backends on other nodes, or changes it into that. What ' +
      'is wrong with the file is told with line and column. A failure leaves what there was before. ' +
      'schemas/load-balancer.schema.json describes the file. kube-proxy adopts a load balancer that matches the VIP, protocol, ports and ' +
      'backends of a Service, and deletes it when that Service changes: choose a VIP that no Service uses.',
    examples: ['win-hcn loadbalancer apply dns.json', `'${example}' | win-hcn loadbalancer apply -`],
  })
    .argument('<file>', 'the configuration of a load balancer; - is stdin')
    .action((file: string) => applyLoadBalancer(file, session));
}

function deleteCommand(session: Session): Command {
  return newCommand('loadbalancer delete', session, {
    summary: 'delete a load balancer, and the remote endpoints that only it uses',
    description:
      'Deletes a load balancer, and those remote endpoints win-hcn made that only it uses. A file whose load balancer is not there ' +
      'is fine.',
    examples: ['win-hcn loadbalancer delete dns', 'win-hcn loadbalancer delete dns.json --yes'],
  })
    .argument('<file-or-name>', 'its configuration or its name; its id or the beginning of it for any other')
    .option(...yesOption)
    .action((given: string, { yes = false }: { readonly yes?: boolean }) =>
      deleteLoadBalancer(given, yes, session),
    );
}
