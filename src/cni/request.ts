import { CniError, code } from './error.ts';

/** CNI's attachment: one interface of one container on one network. The network's name is in the configuration. */
export interface Attachment {
  readonly containerId: string;
  readonly ifname: string;
  readonly network: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** What ADD and CHECK are about. `netns` is CNI_NETNS as given, `namespaceId` the HCN namespace's GUID in it. */
export interface AttachRequest {
  readonly command: 'ADD' | 'CHECK';
  readonly containerId: string;
  readonly ifname: string;
  readonly netns: string;
  readonly namespaceId: string;
}

/** The namespace of a DEL may be gone already; `namespaceId` is undefined if CNI_NETNS is empty or names none. */
export interface DetachRequest {
  readonly command: 'DEL';
  readonly containerId: string;
  readonly ifname: string;
  readonly namespaceId: string | undefined;
}

export type Request =
  | AttachRequest
  | DetachRequest
  | { readonly command: 'GC' }
  | { readonly command: 'STATUS' }
  | { readonly command: 'VERSION' };

/** The attachment a request is about. */
export function attachmentOf(
  { containerId, ifname }: Pick<Attachment, 'containerId' | 'ifname'>,
  network: string,
): Attachment {
  return { containerId, ifname, network };
}

/**
 * Reads the CNI_* variables (specification, section 2, "Parameters").
 * Throws one error 4 that names every variable that is missing or malformed.
 */
export function readRequest(environment: Environment): Request {
  const command = environment['CNI_COMMAND'] ?? '';
  const read = reader(environment);
  switch (command) {
    case 'ADD':
    case 'CHECK':
      return read.all({
        command,
        containerId: read.one(containerId),
        ifname: read.one(ifname),
        netns: environment['CNI_NETNS'] ?? '',
        namespaceId: read.one(namespaceId),
      });
    case 'DEL':
      return read.all({
        command,
        containerId: read.one(containerId),
        ifname: read.one(ifname),
        namespaceId: parseNamespaceId(environment['CNI_NETNS'] ?? ''),
      });
    case 'GC':
      read.one(path);
      return read.all({ command });
    case 'STATUS':
    case 'VERSION':
      return { command };
    default:
      throw new CniError(code.invalidEnvironment, `CNI_COMMAND is "${command}", expected ${commands}`);
  }
}

const commands = 'ADD, CHECK, DEL, GC, STATUS or VERSION';

/** What may name a container, a network and a plugin: a letter or digit, then letters, digits, `_`, `.` or `-`. */
export function isName(text: string): boolean {
  return /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/.test(text);
}

/** The rule in words, for errors. */
export const nameRule = 'a letter or digit, then letters, digits, "_", "." or "-"';

/**
 * Whether libcni accepts a CNI_IFNAME: 1 to 15 bytes, no `/`, `:` or white space, not `.` or `..`
 * (containernetworking/cni, pkg/utils/utils.go, ValidateInterfaceName).
 */
export function isInterfaceName(text: string): boolean {
  return text !== '' && new TextEncoder().encode(text).length <= 15 && !/^\.{1,2}$|[/:\s\u0085]/u.test(text);
}

interface Variable {
  readonly name: string;
  readonly expected: string;
  readonly parse: (value: string) => string | undefined;
}

const containerId: Variable = {
  name: 'CNI_CONTAINERID',
  expected: nameRule,
  parse: (value) => (isName(value) ? value : undefined),
};

const ifname: Variable = {
  name: 'CNI_IFNAME',
  expected: 'at most 15 bytes, not "." or "..", without "/", ":" or white space',
  parse: (value) => (isInterfaceName(value) ? value : undefined),
};

/** The HCN namespace's GUID in CNI_NETNS: bare, in braces, or at the end of a path (cnitool makes one of it). */
export function parseNamespaceId(netns: string): string | undefined {
  return /(?:^|[\\/])\{?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\}?$/i.exec(netns)?.[1]?.toLowerCase();
}

const namespaceId: Variable = {
  name: 'CNI_NETNS',
  expected: "an HCN namespace's GUID, or a path that ends in one",
  parse: parseNamespaceId,
};

/** The value of one of CNI_ARGS' `name=value` pairs, as libcni the last of a name; undefined for one that is missing or empty. */
export function findCniArg(cniArgs: string, name: string): string | undefined {
  const pair = cniArgs.split(';').findLast((one) => one.startsWith(`${name}=`));
  return pair?.slice(name.length + 1) || undefined;
}

const path: Variable = {
  name: 'CNI_PATH',
  expected: 'the folders with plugins',
  parse: (value) => value,
};

function reader(environment: Environment) {
  const problems: string[] = [];
  return {
    one({ name, expected, parse }: Variable): string {
      const value = environment[name] ?? '';
      const parsed = value === '' ? undefined : parse(value);
      if (parsed === undefined) {
        problems.push(
          value === '' ? `${name} is missing` : `${name} is ${JSON.stringify(value)}, expected ${expected}`,
        );
      }
      return parsed ?? '';
    },
    all<R>(request: R): R {
      if (problems.length > 0) throw new CniError(code.invalidEnvironment, problems.join('; '));
      return request;
    },
  };
}
