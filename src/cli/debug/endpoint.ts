import type { Command } from 'commander';
import { readRequest } from '../../cni/request.ts';
import * as namespaces from '../../commands/namespaces.ts';
import { createUnattachedEndpoint } from '../../commands/unattached-endpoint.ts';
import { addressesIn, type ObservedEndpoint } from '../../hcn/documents.ts';
import { findById } from '../../model/inventory.ts';
import { loadBalancersUsing } from '../../model/leftovers.ts';
import { attachedTo, containersIn, isAttached } from '../../model/readiness.ts';
import { endpointRow } from '../inventory/endpoint-row.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import { resolveEndpoint, resolveNamespace } from '../inventory/resolve-object.ts';
import {
  confirmChange,
  describeImpact,
  foreignObjectWarning,
  openContext,
  refusalsWhileRunning,
} from '../plugin/change.ts';
import { assumedAssignment, openPlugin, readPlugin } from '../plugin/plugin-config.ts';
import { newCommand } from '../terminal/new-command.ts';
import {
  aliasesOf,
  configFileText,
  pluginOption,
  withAddress,
  withContainer,
  type YesFlag,
  yesOption,
} from '../terminal/options.ts';
import { printable } from '../terminal/output.ts';
import { exitCode, type Session } from '../terminal/session.ts';

const create =
  'win-hcn debug endpoint create --conf 10-win-hcn.conflist --container pod1 --address 10.244.1.7/24';
const endpointKey = 'name, ID or ID prefix of the endpoint';

/** `endpoint`: creates, attaches, detaches and deletes HCN endpoints. */
export function endpointCommand(session: Session): Command {
  return newCommand('debug endpoint', session, {
    summary: 'create, attach, detach or delete an HCN endpoint',
    description:
      'Creates, attaches, detaches and deletes HCN endpoints. List them with win-hcn ls endpoints -o wide.',
    examples: [
      create,
      'win-hcn debug endpoint attach 5efcf8b5 7c806792',
      'win-hcn debug endpoint detach 5efcf8b5 --yes',
      'win-hcn debug endpoint delete 5efcf8b5 --yes',
    ],
    subcommands: [
      createCommand(session),
      newCommand('debug endpoint attach', session, {
        summary: 'attach an endpoint to a namespace',
        description:
          'Attaches an unattached endpoint to a namespace. The namespace may contain other endpoints.',
        examples: ['win-hcn debug endpoint attach 5efcf8b5 7c806792'],
      })
        .argument('<endpoint>', endpointKey)
        .argument('<namespace>', 'ID or ID prefix of the namespace')
        .action((endpoint: string, namespace: string) => attachEndpoint(endpoint, namespace, session)),
      newCommand('debug endpoint detach', session, {
        summary: 'detach an endpoint from its namespace',
        description:
          'Detaches an endpoint from its namespace without deleting it. HNS refuses this while a container is running in ' +
          'the namespace. On Windows Server 2019, you cannot attach the endpoint again after you detach it.',
        examples: [
          'win-hcn debug endpoint detach 5efcf8b5',
          'win-hcn debug endpoint detach 5efcf8b5 7c806792 --yes',
        ],
      })
        .argument('<endpoint>', endpointKey)
        .argument(
          '[namespace]',
          'ID or ID prefix of the namespace; the command fails if the endpoint is in another one (default: any)',
        )
        .option(...yesOption)
        .action((endpoint: string, namespace: string | undefined, { yes = false }: YesFlag) =>
          detachEndpoint(endpoint, namespace, yes, session),
        ),
      newCommand('debug endpoint delete', session, {
        summary: 'delete any endpoint, including those of other plugins',
        description:
          'Deletes any endpoint, including those of other plugins. endpoint delete does not run the IPAM plugin, so the ' +
          'addresses stay reserved. To delete an endpoint that ADD created and release its addresses, use win-hcn debug cni del.',
        examples: ['win-hcn debug endpoint delete 5efcf8b5', 'win-hcn debug endpoint delete 5efcf8b5 --yes'],
      })
        .argument('<endpoint>', endpointKey)
        .option(...yesOption)
        .action((endpoint: string, { yes = false }: YesFlag) => deleteEndpoint(endpoint, yes, session)),
    ],
  }).aliases(aliasesOf('endpoint'));
}

function createCommand(session: Session): Command {
  const command = newCommand('debug endpoint create', session, {
    summary: 'create an unattached endpoint and print its ID',
    description:
      'Creates the endpoint that ADD would create, but does not attach it to a namespace, and prints its ID. The ' +
      'network must exist. endpoint create does not run the IPAM plugin: specify the address with --address. If the ' +
      'endpoint is still unattached, a later ADD with the same network, container and interface name deletes it as a ' +
      'leftover and creates a new one. win-hcn debug cni del deletes it too.',
    examples: [create],
  }).requiredOption('--conf <file>', configFileText);
  return withAddress(withContainer(command))
    .option(...pluginOption)
    .action((flags: CreateFlags) => createEndpoint(flags, session));
}

export interface CreateFlags {
  readonly conf: string;
  readonly container: string;
  readonly ifname: string;
  readonly address?: readonly string[];
  readonly plugin?: string;
}

/** Creates an attachment's endpoint and prints only its id on stdout. Throws as ADD does. */
export async function createEndpoint(flags: CreateFlags, session: Session): Promise<void> {
  const { conf, container: containerId, ifname, address = [] } = flags;
  readRequest({ CNI_COMMAND: 'DEL', CNI_CONTAINERID: containerId, CNI_IFNAME: ifname });
  const plugin = readPlugin(conf, flags.plugin, session);
  if (plugin === undefined) return;
  const { config, ipam, context } = openPlugin(plugin.config, session.system);
  if (ipam !== undefined && address.length === 0) {
    session.printStderr(
      `win-hcn: --address is required: this command does not run the IPAM plugin ${ipam}, which would assign the address`,
    );
    return session.setExitCode(exitCode.wrongUsage);
  }
  const attachment = { containerId, ifname, network: config.name };
  const assignment = assumedAssignment(address, ipam, config);
  const endpoint = await createUnattachedEndpoint(attachment, config, assignment, context);
  const addresses = addressesIn(endpoint).join(', ');
  session.printStderr(
    `endpoint "${endpoint.Name}" was created on network "${config.name}", in no namespace: ${addresses}, MAC ${endpoint.MacAddress}`,
  );
  if (ipam !== undefined)
    session.printStderr(`win-hcn: ${ipam} has no record of ${addresses} and may assign it to a pod`);
  session.print(endpoint.ID);
}

/** Attaches an endpoint to a namespace. Throws if it is in another one. */
export async function attachEndpoint(key: string, namespaceKey: string, session: Session): Promise<void> {
  const inventory = await readInventory(session);
  const endpoint = resolveEndpoint(key, inventory, session);
  const namespace = resolveNamespace(namespaceKey, inventory, session);
  if (endpoint === undefined || namespace === undefined) return;
  const isNew = await namespaces.attachEndpoint(endpoint.ID, namespace.id, openContext(session.system));
  const outcome = isNew ? 'was attached to' : 'is already in';
  session.print(`${describe(endpoint)} ${outcome} namespace ${namespace.id}`);
}

/** Detaches an endpoint from its namespace, which must be the given one if there is one. Throws HCN's refusal. */
export async function detachEndpoint(
  key: string,
  namespaceKey: string | undefined,
  yes: boolean,
  session: Session,
): Promise<void> {
  const inventory = await readInventory(session);
  const endpoint = resolveEndpoint(key, inventory, session);
  const wanted = namespaceKey === undefined ? undefined : resolveNamespace(namespaceKey, inventory, session);
  if (endpoint === undefined || (namespaceKey !== undefined && wanted === undefined)) return;
  if (!isAttached(endpoint)) return session.print(`${describe(endpoint)} is in no namespace already`);
  const id = endpoint.HostComputeNamespace;
  if (wanted !== undefined && wanted.id !== id) {
    session.printStderr(`win-hcn: ${describe(endpoint)} is in namespace ${id}, not in ${wanted.id}`);
    return session.setExitCode(exitCode.problemFound);
  }
  const namespace = findById(inventory.namespaces, id);
  const impact = [
    ...describeImpact(endpointRow(endpoint, inventory)),
    'Windows Server 2019 attaches an endpoint only once: there it cannot be attached again.',
    ...refusalsWhileRunning(containersIn(namespace)),
  ];
  const done = await confirmChange(
    (context) => namespaces.detachEndpoint(endpoint, id, context),
    { impact, yes },
    session,
  );
  if (done !== undefined) session.print(`${describe(endpoint)} was detached from namespace ${id}`);
}

/** Deletes an endpoint of any owner. */
export async function deleteEndpoint(key: string, yes: boolean, session: Session): Promise<void> {
  const inventory = await readInventory(session);
  const endpoint = resolveEndpoint(key, inventory, session);
  if (endpoint === undefined) return;
  const { ID: id, Name: name } = endpoint;
  const row = endpointRow(endpoint, inventory);
  const impact = [
    ...describeImpact(row),
    ...(row.owner === 'kube-proxy' || row.owner === 'unknown' ? [foreignObjectWarning] : []),
    ...loadBalancersUsing(id, inventory.loadBalancers).map(
      (user) => `Load balancer ${user} loses a backend.`,
    ),
    ...(row.container === undefined
      ? []
      : ['The IPAM plugin does not run: use win-hcn debug cni del to release the addresses too.']),
  ];
  const namespace = attachedTo(endpoint);
  const done = await confirmChange(
    ({ changes }) => changes.apply({ do: 'delete endpoint', id, name, namespace }),
    { impact, yes },
    session,
  );
  if (done !== undefined)
    session.print(`${describe(endpoint)} ${done.result ? 'was deleted' : 'is gone already'}`);
}

function describe({ ID, Name }: ObservedEndpoint): string {
  return `endpoint "${printable(Name)}" ${ID}`;
}
