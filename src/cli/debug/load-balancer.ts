import type { Command } from 'commander';
import { loadBalancerDeletion } from '../../plan/load-balancer.ts';
import { loadBalancerRow } from '../inventory/object-rows.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import { resolveObject } from '../inventory/resolve-object.ts';
import { confirmChange, foreignObjectWarning } from '../plugin/change.ts';
import { newCommand } from '../terminal/new-command.ts';
import { type YesFlag, yesOption } from '../terminal/options.ts';
import type { Session } from '../terminal/session.ts';

/** `loadbalancer`: deletes HCN load balancers. */
export function loadBalancerCommand(session: Session): Command {
  return newCommand('debug loadbalancer', session, {
    summary: 'delete a load balancer',
    description: 'Deletes HCN load balancers. List them with win-hcn ls services.',
    examples: ['win-hcn debug loadbalancer delete 8c621451'],
    subcommands: [
      newCommand('debug loadbalancer delete', session, {
        summary: 'delete any load balancer, including those of kube-proxy',
        description:
          'Deletes any load balancer, including those of kube-proxy, which does not create it again.',
        examples: [
          'win-hcn debug loadbalancer delete 8c621451',
          'win-hcn debug loadbalancer delete 8c621451 --yes',
        ],
      })
        .argument('<loadbalancer>', 'ID or ID prefix of the load balancer')
        .option(...yesOption)
        .action((key: string, { yes = false }: YesFlag) => deleteLoadBalancer(key, yes, session)),
    ],
  }).aliases(['lb', 'loadbalancers']);
}

/** Deletes a load balancer of any owner. */
async function deleteLoadBalancer(key: string, yes: boolean, session: Session): Promise<void> {
  const inventory = await readInventory(session);
  const found = resolveObject('load balancer', key, inventory.loadBalancers);
  const deletion = loadBalancerDeletion(found, inventory.endpoints);
  const { frontends, ports } = loadBalancerRow(found, inventory);
  const at = frontends.join(', ') || 'the addresses of the node';
  const impact = [`${at} no longer accepts connections: ${ports.join(', ')}.`, foreignObjectWarning];
  const done = await confirmChange(({ changes }) => changes.apply(deletion), { impact, yes }, session);
  if (done !== undefined)
    session.print(`load balancer ${found.ID} ${done.result ? 'was deleted' : 'is gone already'}`);
}
