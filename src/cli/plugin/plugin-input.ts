import { type Command, InvalidArgumentError } from 'commander';
import type { Environment } from '../../cni/request.ts';
import { isObject, type JsonObject } from '../../json/members.ts';
import type { System } from '../../system.ts';
import { repeatable } from '../terminal/options.ts';
import type { Session } from '../terminal/session.ts';
import { parentFolder } from '../terminal/windows-path.ts';

/** The CNI commands that take a plugin configuration. */
export type CniCommand = 'ADD' | 'CHECK' | 'DEL' | 'GC' | 'STATUS';

/** The options that describe a request; those a command does not have are absent. */
export interface RequestFlags extends CapabilityFlags {
  readonly container?: string;
  readonly netns?: string;
  readonly ifname?: string;
  readonly cniPath?: string;
  readonly args?: string;
  /** Of GC: the valid attachments. */
  readonly keep?: readonly ValidAttachment[];
  readonly keepNone?: true;
}

/** One of GC's `cni.dev/valid-attachments`. */
export interface ValidAttachment {
  readonly containerID: string;
  readonly ifname: string;
}

export interface PluginInput {
  readonly environment: Environment;
  readonly stdin: JsonObject;
  /** Requested capabilities that a runtime would not pass, because the configuration does not declare them. */
  readonly undeclared: readonly string[];
}

/** The default CNI_PATH: the folder of the exe. */
export function defaultCniPath({ executable }: System): string {
  return parentFolder(executable);
}

/** The valid attachments of a GC; undefined if no option specifies them. */
export function validAttachments({ keep, keepNone }: RequestFlags): readonly ValidAttachment[] | undefined {
  return keepNone ? [] : keep;
}

/** Returns what libcni would pass to the plugin. `prevResult` is an earlier result. */
export function pluginInput(
  command: CniCommand,
  pluginConfig: JsonObject,
  flags: RequestFlags,
  prevResult: unknown,
  cniPath: string,
): PluginInput {
  const { container, netns, ifname, args } = flags;
  const { config, undeclared } = withRuntimeConfig(pluginConfig, flags);
  const valid = validAttachments(flags);
  return {
    environment: definedOnly({
      CNI_COMMAND: command,
      CNI_PATH: flags.cniPath ?? cniPath,
      CNI_CONTAINERID: container,
      CNI_NETNS: netns,
      CNI_IFNAME: ifname,
      CNI_ARGS: args,
    }),
    stdin: { ...config, ...definedOnly({ prevResult, 'cni.dev/valid-attachments': valid }) },
    undeclared,
  };
}

function definedOnly<T>(members: Readonly<Record<string, T | undefined>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(members).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

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
