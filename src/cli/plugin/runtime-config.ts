import { type Command, InvalidArgumentError } from 'commander';
import { isObject, type JsonObject } from '../../json/members.ts';
import { repeatable } from '../terminal/options.ts';
import type { Session } from '../terminal/session.ts';

/** The capabilities that a runtime requests for an attachment, by CNI's conventions. */
export interface CapabilityFlags {
  readonly port?: readonly PortMapping[];
  readonly dns?: readonly string[];
  readonly dnsSearch?: readonly string[];
  readonly mac?: string;
  readonly ip?: readonly string[];
}

/** An entry of `portMappings`; the plugin validates the numbers. */
export interface PortMapping {
  readonly hostPort: number;
  readonly containerPort: number;
  readonly protocol: string;
  readonly hostIP?: string;
}

/** `8080:80`, `8080:80/udp` or `192.168.1.5:8080:80/tcp`. Throws InvalidArgumentError for anything else. */
export function parsePort(text: string): PortMapping {
  const [, hostIP, hostPort, containerPort, protocol] =
    /^(?:([\d.]+|\[[\da-f:.]+\]):)?(\d{1,5}):(\d{1,5})(?:\/(\w+))?$/i.exec(text) ?? [];
  if (hostPort === undefined)
    throw new InvalidArgumentError('expected HOST:CONTAINER[/PROTOCOL], such as 8080:80/tcp');
  return {
    hostPort: Number(hostPort),
    containerPort: Number(containerPort),
    protocol: protocol?.toLowerCase() ?? 'tcp',
    ...(hostIP !== undefined && { hostIP: hostIP.replace(/[[\]]/g, '') }),
  };
}

/**
 * Adds `runtimeConfig` to a plugin's configuration as libcni does, with the requested capabilities that the plugin declares.
 * `undeclared` lists the others.
 */
export function withRuntimeConfig(
  config: JsonObject,
  { port = [], dns = [], dnsSearch = [], mac, ip = [] }: CapabilityFlags,
): { readonly config: JsonObject; readonly undeclared: readonly string[] } {
  const requested: JsonObject = {
    ...(port.length > 0 && { portMappings: port }),
    ...((dns.length > 0 || dnsSearch.length > 0) && { dns: { servers: dns, searches: dnsSearch } }),
    ...(mac !== undefined && { mac }),
    ...(ip.length > 0 && { ips: ip }),
  };
  const { capabilities } = config;
  const declares = (name: string) => isObject(capabilities) && capabilities[name] === true;
  const passed = Object.entries(requested).filter(([name]) => declares(name));
  return {
    config: { ...config, ...(passed.length > 0 && { runtimeConfig: Object.fromEntries(passed) }) },
    undeclared: Object.keys(requested).filter((name) => !declares(name)),
  };
}

/** Warns about capabilities that a runtime would not pass. */
export function warnUndeclared(undeclared: readonly string[], session: Session): void {
  for (const name of undeclared)
    session.printStderr(`win-hcn: capability ${name} ignored: the configuration does not declare it`);
}

/** Adds what a runtime can request for a pod: CNI_ARGS and the capabilities. */
export function withCapabilities(command: Command): Command {
  return command
    .option('--args <pairs>', 'CNI_ARGS, such as "K8S_POD_NAME=web;K8S_POD_NAMESPACE=shop"')
    .option(
      '--port <mapping>',
      'port mapping (capability portMappings): [HOST_IP:]HOST:CONTAINER[/PROTOCOL] (default: tcp); can be repeated',
      repeatable(parsePort),
    )
    .option('--dns <server>', 'DNS server (capability dns); can be repeated', repeatable(String))
    .option(
      '--dns-search <domain>',
      'DNS search domain (capability dns); can be repeated',
      repeatable(String),
    )
    .option('--mac <address>', 'MAC address (capability mac)')
    .option('--ip <address>', 'IP address (capability ips); can be repeated', repeatable(String));
}
