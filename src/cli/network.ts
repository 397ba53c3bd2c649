import type { Command } from 'commander';
import { ensureHostEndpoint } from '../commands/host-endpoint.ts';
import {
  type EnsuredNetwork,
  ensureNetwork as ensure,
  findOrPlanNetwork,
  type NetworkPlan,
} from '../commands/network.ts';
import { requireFeatures } from '../commands/requirements.ts';
import type { ObservedNetwork } from '../hcn/documents.ts';
import type { Inventory } from '../model/inventory.ts';
import { boundAdapter, subnetsOf } from '../model/network-document.ts';
import { isReady } from '../model/readiness.ts';
import { requiredFeatures } from '../plan/features.ts';
import { hostEndpointAddress } from '../plan/host-endpoint.ts';
import type { IdentifiedNetwork } from '../plan/network.ts';
import { interruptionWarning, isExternal } from '../plan/network-adapter.ts';
import type { StepName } from '../steps/step.ts';
import { confirmChange, describeImpact } from './change.ts';
import { isPath, readConfigName } from './config-file.ts';
import { endpointColumns } from './inventory/columns.ts';
import { type EndpointRow, endpointRow } from './inventory/endpoint-row.ts';
import { readInventory } from './inventory/read-inventory.ts';
import { newCommand } from './new-command.ts';
import { configFileText, pluginOption, yesOption } from './options.ts';
import { printable } from './output.ts';
import { openPlugin, readPlugin } from './plugin-config.ts';
import { newProgress } from './progress.ts';
import { documentKeys, resolveObject } from './resolve-object.ts';
import { exitCode, type Session } from './session.ts';
import { rowsTable } from './table.ts';

const file = 'C:\\etc\\cni\\net.d\\10-win-hcn.conflist';

/** `network`: creates and deletes HCN networks. */
export function networkCommand(session: Session): Command {
  return newCommand('network', session, {
    summary: 'create or delete an HCN network',
    description: 'Creates and deletes HCN networks. List them with win-hcn ls networks.',
    examples: [`win-hcn network ensure ${file}`, 'win-hcn network delete l2bridge'],
    subcommands: [
      newCommand('network ensure', session, {
        summary: 'create the network and host endpoint of a configuration',
        description:
          'Creates the network of a configuration, and its host endpoint if configured, in the same way as the first ADD. ' +
          'If the network exists, win-hcn does not change it but shows how it differs from the configuration. If the ' +
          "configuration has a host endpoint, win-hcn also enables IP forwarding on the node's interfaces and replaces a " +
          'leftover host endpoint of an interrupted ADD. Creating an L2Bridge, L2Tunnel, Overlay or Transparent network ' +
          'disconnects its adapter for a few seconds and interrupts connections to the node. Progress is written to stderr.',
        examples: [`win-hcn network ensure ${file}`],
      })
        .argument('<file>', configFileText)
        .option(...pluginOption)
        .action((path: string, { plugin }: { readonly plugin?: string }) =>
          ensureNetwork(path, plugin, session),
        ),
      newCommand('network delete', session, {
        summary: 'delete a network that has no pod endpoints',
        description:
          'Deletes a network and its host endpoint. If the network has other endpoints, win-hcn lists them and does not ' +
          'delete the network. If you specify a configuration file and its network does not exist, the exit code is 0.',
        examples: [
          'win-hcn network delete l2bridge',
          'win-hcn network delete l2bridge --yes',
          `win-hcn network delete ${file} --yes`,
        ],
      })
        .argument('<file-or-name>', 'configuration file, or name, ID or ID prefix of the network')
        .option(...yesOption)
        .action((given: string, { yes = false }: { readonly yes?: boolean }) =>
          deleteNetwork(given, yes, session),
        ),
    ],
  });
}

/** Deletes the network of a file, or with a name or an id, unless an endpoint other than its host endpoint is on it. */
async function deleteNetwork(given: string, yes: boolean, session: Session): Promise<void> {
  const name = isPath(given) ? readConfigName(given, session) : undefined;
  if (isPath(given) && name === undefined) return;
  const inventory = await readInventory(session);
  const network = findNetwork(given, name, inventory, session);
  if (network === undefined) return;
  const { ID: id, Name, Type } = network;
  const described = `network "${printable(Name)}" ${id}`;
  const rows = inventory.endpoints
    .filter(({ HostComputeNetwork }) => HostComputeNetwork === id)
    .map((endpoint) => endpointRow(endpoint, inventory));
  const attached = rows.filter(({ owner }) => owner !== 'node');
  if (attached.length > 0) {
    const count = attached.length === 1 ? '1 endpoint is' : `${attached.length} endpoints are`;
    session.printStderr(`win-hcn: ${described} is not deleted: ${count} on it`);
    session.printStderr(endpointsTable(attached, session));
    session.printStderr(
      `win-hcn show network ${printable(Name)} shows them in full. win-hcn gc deletes leftovers, win-hcn endpoint delete any endpoint.`,
    );
    return session.setExitCode(exitCode.problemFound);
  }
  if (inventory.unreadable?.some(({ kind }) => kind === 'Endpoint')) {
    session.printStderr(
      `win-hcn: ${described} is not deleted: the endpoints that cannot be read may be on it`,
    );
    return session.setExitCode(exitCode.problemFound);
  }
  const done = await confirmChange(
    async ({ hcn, changes }) => {
      const hostEndpoints = rows.map((row) => row.id);
      await changes.apply({ do: 'delete unused network', id, name: Name, hostEndpoints });
      return (await hcn.findNetworkById(id)) === undefined;
    },
    {
      impact: [...rows.flatMap(describeImpact), ...interruption(network)],
      yes,
      progress: `deleting ${Type} network "${Name}"`,
    },
    session,
  );
  if (done === undefined) return;
  if (done.result) return session.print(`${described} was deleted`);
  session.printStderr(`win-hcn: ${described} is not deleted: an endpoint was created on it in the meantime`);
  session.setExitCode(exitCode.problemFound);
}

function interruption(network: ObservedNetwork): readonly string[] {
  if (!isExternal(network.Type)) return [];
  const adapter = boundAdapter(network);
  const through = adapter === undefined ? "the network's adapter" : `adapter "${adapter}"`;
  return [`Connections to the node through ${through}, such as RDP and SSH, can be interrupted.`];
}

/** Returns undefined, after reporting why, if there is no such network. */
function findNetwork(
  given: string,
  name: string | undefined,
  { networks }: Inventory,
  session: Session,
): ObservedNetwork | undefined {
  if (name !== undefined) {
    const network = networks.find(({ Name }) => Name === name);
    if (network === undefined) session.print(`HCN has no network "${name}": nothing to delete`);
    return network;
  }
  return resolveObject('network', given, networks, documentKeys, session);
}

function endpointsTable(endpoints: readonly EndpointRow[], session: Session): string {
  const rows = endpoints.map((row) => {
    const {
      network: _network,
      MAC: _mac,
      state: _state,
      health: _health,
      ...shown
    } = endpointColumns(row, false);
    return shown;
  });
  return rowsTable(rows, session);
}

/** Creates the network of a file's plugin, and its host endpoint, where they are missing. Throws as ADD does. */
async function ensureNetwork(file: string, type: string | undefined, session: Session): Promise<void> {
  const plugin = readPlugin(file, type, session);
  if (plugin === undefined) return;
  const progress = newProgress(session);
  const applied = new Set<StepName>();
  let plan: NetworkPlan | undefined;
  const { config, context } = openPlugin(plugin.config, session.system, {
    onApplied: (step) => {
      applied.add(step.do);
      const wait = plan && waitAfter(step.do, plan);
      if (wait !== undefined) progress.start(wait);
    },
  });
  plan = await findOrPlanNetwork(config, context);
  await requireFeatures(requiredFeatures(config, plan.found === undefined), context.hcn);
  if (plan.found === undefined && isExternal(config.networkType))
    session.printStderr(`win-hcn: ${interruptionWarning(plan.planned)}`);
  const wait = firstWait(plan);
  if (wait !== undefined) progress.start(wait);
  const { network } = await ensureWithHostEndpoint(plan, context).finally(progress.end);
  const outcome = (created: StepName) =>
    applied.has(created) ? session.style('green', 'was created') : 'exists as configured';
  session.print(`network ${describe(network)} ${outcome('create network')}`);
  const address = hostEndpointAddress(config, network);
  if (address !== undefined)
    session.print(`host endpoint ${address} on it ${outcome('create host endpoint')}`);
}

/** Rolls back both on failure, as ADD does. */
function ensureWithHostEndpoint(
  plan: NetworkPlan,
  context: Parameters<typeof ensure>[1],
): Promise<EnsuredNetwork> {
  return context.changes.transaction(async () => {
    const ensured = await ensure(plan, context);
    await ensureHostEndpoint(plan.config, ensured, context);
    return ensured;
  });
}

/** What the first step waits for; undefined if there is nothing to wait for. */
function firstWait({ config, found }: NetworkPlan): string | undefined {
  if (found === undefined) return `creating ${config.networkType} network "${config.name}"`;
  return isReady(found) ? undefined : waitForAdapter(boundAdapter(found));
}

/** What the command waits for after a step. */
function waitAfter(step: StepName, { config, planned }: NetworkPlan): string | undefined {
  if (step === 'create host endpoint') return 'waiting for the interface of the host endpoint';
  if (step !== 'create network' || !isExternal(config.networkType)) return undefined;
  return waitForAdapter(boundAdapter(planned));
}

function waitForAdapter(adapter: string | undefined): string {
  const which = adapter === undefined ? 'the adapter' : `adapter "${adapter}"`;
  return `waiting for ${which} to come back with an address`;
}

function describe(network: IdentifiedNetwork): string {
  const { ID, Name, Type } = network;
  const adapter = boundAdapter(network);
  const subnets = subnetsOf(network).map(({ IpAddressPrefix }) => IpAddressPrefix);
  const about = [Type, ...(adapter === undefined ? [] : [`adapter "${adapter}"`]), ...subnets].join(', ');
  return printable(`"${Name}" ${ID} (${about})`);
}
