import type { Command } from 'commander';
import { invalidConfig } from '../../cni/error.ts';
import * as commands from '../../commands/load-balancer.ts';
import type { HostComputeLoadBalancer } from '../../hcn/documents.ts';
import { loadBalancerDocument } from '../../hcn/read-document.ts';
import { readMembers } from '../../json/members.ts';
import { loadBalancerId } from '../../model/identity.ts';
import { readJsonFile } from '../conflist/config-file.ts';
import { loadBalancerRows } from '../inventory/object-rows.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import { resolveObject } from '../inventory/resolve-object.ts';
import { confirmChange, describeLoadBalancerImpact, openContext } from '../plugin/change.ts';
import { newCommand } from '../terminal/new-command.ts';
import { type YesFlag, yesOption } from '../terminal/options.ts';
import type { Session } from '../terminal/session.ts';

const example = JSON.stringify({
  HostComputeEndpoints: ['5efcf8b5-6b39-5f7c-8ebe-586dde64a108'],
  FrontendVIPs: ['10.96.0.10'],
  PortMappings: [{ Protocol: 17, ExternalPort: 53, InternalPort: 53 }],
});

/** `loadbalancer`: creates and deletes HCN load balancers. */
export function loadBalancerCommand(session: Session): Command {
  return newCommand('debug loadbalancer', session, {
    summary: 'create or delete a load balancer',
    description: 'Creates and deletes HCN load balancers. List them with win-hcn ls services.',
    examples: ['win-hcn debug loadbalancer create dns.json', 'win-hcn debug loadbalancer delete 8c621451'],
    subcommands: [
      newCommand('debug loadbalancer create', session, {
        summary: 'create a load balancer from its HCN document',
        description:
          'Creates a load balancer by its HCN document (HostComputeLoadBalancer), and prints its ID, which depends on the document ' +
          'only. An existing load balancer is not changed. kube-proxy deletes all load balancers when it starts, and may adopt ' +
          'one that matches a Service: choose a VIP that no Service uses.',
        examples: [
          'win-hcn debug loadbalancer create dns.json',
          `'${example}' | win-hcn debug loadbalancer create -`,
        ],
      })
        .argument('<file>', 'JSON document of the load balancer, or - for stdin')
        .action((file: string) => createLoadBalancer(file, session)),
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

/** Creates the load balancer of a file, and prints only its id on stdout. Throws HCN's refusal. */
async function createLoadBalancer(file: string, session: Session): Promise<void> {
  const value = readJsonFile(file, session, 'unreadable');
  if (value === undefined) return;
  const document = readLoadBalancerFile(value);
  const id = loadBalancerId(JSON.stringify(document));
  const isNew = await commands.createLoadBalancer(id, document, openContext(session.system));
  if (!isNew) session.printStderr(`win-hcn: load balancer ${id} already exists; no changes made`);
  session.print(id);
}

const keys = [
  'ID',
  'HostComputeEndpoints',
  'SourceVIP',
  'FrontendVIPs',
  'PortMappings',
  'Flags',
  'SchemaVersion',
];

/** Reads the document of a load balancer. Throws CniError for a wrong or unknown member. */
export function readLoadBalancerFile(value: unknown): HostComputeLoadBalancer {
  const refuse = (path: string, found: unknown, expected: string) =>
    invalidConfig(`${path || 'the file'} is ${JSON.stringify(found)}, expected ${expected}`);
  const members = readMembers(value, '', { refuse });
  const unknown = Object.keys(members.json).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw invalidConfig(`${unknown} is an unknown key, expected ${keys.join(', ')}`);
  if (members.read('HostComputeEndpoints', 'a list of strings').length === 0)
    throw members.refusal('HostComputeEndpoints', 'at least one ID of an endpoint');
  members.readList('PortMappings', (mapping) =>
    ['Protocol', 'InternalPort', 'ExternalPort'].map((key) => mapping.read(key, 'a number')),
  );
  return loadBalancerDocument(members);
}

/** Deletes a load balancer of any owner. */
async function deleteLoadBalancer(key: string, yes: boolean, session: Session): Promise<void> {
  const rows = loadBalancerRows(await readInventory(session));
  const row = resolveObject('load balancer', key, rows);
  const done = await confirmChange(
    (context) => commands.deleteLoadBalancer(row.id, context),
    { impact: describeLoadBalancerImpact(row), yes },
    session,
  );
  if (done !== undefined)
    session.print(`load balancer ${row.id} ${done.result ? 'was deleted' : 'is gone already'}`);
}
