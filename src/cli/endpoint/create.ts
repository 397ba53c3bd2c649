import { readRequest } from '../../cni/request.ts';
import { createUnattachedEndpoint } from '../../commands/create-unattached-endpoint.ts';
import { assumedAssignment, openPlugin, readPlugin } from '../plugin-config.ts';
import { exitCode, type Session } from '../session.ts';

export interface CreateFlags {
  readonly conf: string;
  readonly container: string;
  readonly ifname: string;
  readonly address?: readonly string[];
  readonly plugin?: string;
}

/** Makes an attachment's endpoint and prints nothing but its id on stdout. Throws as ADD does. */
export async function createEndpoint(flags: CreateFlags, session: Session): Promise<void> {
  const { conf, container: containerId, ifname, address = [] } = flags;
  readRequest({ CNI_COMMAND: 'DEL', CNI_CONTAINERID: containerId, CNI_IFNAME: ifname });
  const plugin = readPlugin(conf, flags.plugin, session);
  if (plugin === undefined) return;
  const { config, ipam, host } = openPlugin(plugin.config, session.system);
  if (ipam !== undefined && address.length === 0) {
    session.printStderr(
      `win-hcn: the IPAM plugin ${ipam} assigns the addresses, and is not asked here: name one with --address`,
    );
    return session.setExitCode(exitCode.wrongUsage);
  }
  const attachment = { containerId, ifname, network: config.name };
  const endpoint = await createUnattachedEndpoint(
    attachment,
    config,
    assumedAssignment(address, ipam, config),
    host,
  );
  const addresses = (endpoint.IpConfigurations ?? []).map(({ IpAddress }) => IpAddress).join(', ');
  session.printStderr(
    `endpoint "${endpoint.Name}" was created on network "${config.name}", in no namespace: ${addresses}, MAC ${endpoint.MacAddress}`,
  );
  if (ipam !== undefined)
    session.printStderr(
      `win-hcn: ${ipam} does not know that ${addresses} is taken, and may assign it to a pod`,
    );
  session.print(endpoint.ID);
}
