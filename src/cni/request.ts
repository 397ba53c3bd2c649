import { CniError, code } from './error.ts';

/** CNI's attachment: one interface of one container on one network. The network's name is in the configuration. */
export interface Attachment {
  readonly containerId: string;
  readonly ifname: string;
  readonly network: string;
}

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** `netns` is CNI_NETNS as given, `namespaceId` the GUID of the HCN namespace in it. */
export interface AttachRequest {
  readonly command: 'ADD' | 'CHECK';
  readonly containerId: string;
  readonly ifname: string;
  readonly netns: string;
  readonly namespaceId: string;
}

/** `namespaceId` is undefined if CNI_NETNS is empty or has no GUID: the namespace may not exist any more. */
export interface DetachRequest {
  readonly command: 'DEL';
  readonly containerId: string;
  readonly ifname: string;
  readonly namespaceId: string | undefined;
}

/** A request of a runtime, from the CNI_ variables (specification, section 2, "Parameters"). */
export type Request =
  | AttachRequest
  | DetachRequest
  | { readonly command: 'GC' }
  | { readonly command: 'STATUS' }
  | { readonly command: 'VERSION' };

/** The attachment of a request. */
export function attachmentOf(
  { containerId, ifname }: Pick<Attachment, 'containerId' | 'ifname'>,
  network: string,
): Attachment {
  return { containerId, ifname, network };
}

/**
 * Reads the CNI_* variables (specification, section 2, "Parameters"). Throws code 4, naming every variable that is missing or malformed.
 */
export function readRequest(environment: Environment): Request {
  const command = environment['CNI_COMMAND'] ?? '';
  const variables = newVariableReader(environment);
  switch (command) {
    case 'ADD':
    case 'CHECK':
      return variables.check({
        command,
        containerId: variables.read(containerId),
        ifname: variables.read(ifname),
        netns: environment['CNI_NETNS'] ?? '',
        namespaceId: variables.read(namespaceId),
      });
    case 'DEL':
      return variables.check({
        command,
        containerId: variables.read(containerId),
        ifname: variables.read(ifname),
        namespaceId: parseNamespaceId(environment['CNI_NETNS'] ?? ''),
      });
    case 'GC':
      variables.read(path);
      return variables.check({ command });
    case 'STATUS':
    case 'VERSION':
      return { command };
    default:
      throw new CniError(code.invalidEnvironment, `CNI_COMMAND is "${command}", expected ${commands}`);
  }
}

const commands = 'ADD, CHECK, DEL, GC, STATUS or VERSION';

/** Whether the text is a valid name of a container, network or plugin: a letter or digit, then letters, digits, `_`, `.` or `-`. */
export function isName(text: string): boolean {
  return /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/.test(text);
}

/** The rule of `isName` for error messages. */
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

/** The GUID of the HCN namespace in CNI_NETNS: bare, in braces, or at the end of a path, as cnitool passes it. */
export function parseNamespaceId(netns: string): string | undefined {
  return /(?:^|[\\/])\{?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\}?$/i.exec(netns)?.[1]?.toLowerCase();
}

const namespaceId: Variable = {
  name: 'CNI_NETNS',
  expected: 'the GUID of an HCN namespace, or a path that ends in it',
  parse: parseNamespaceId,
};

/** The value of a `name=value` pair in CNI_ARGS; undefined if absent or empty. The last of equal names counts, as in libcni. */
export function findCniArg(cniArgs: string, name: string): string | undefined {
  const pair = cniArgs.split(';').findLast((candidate) => candidate.startsWith(`${name}=`));
  return pair?.slice(name.length + 1) || undefined;
}

const path: Variable = {
  name: 'CNI_PATH',
  expected: '',
  parse: (value) => value,
};

function newVariableReader(environment: Environment) {
  const problems: string[] = [];
  return {
    read({ name, expected, parse }: Variable): string {
      const value = environment[name] ?? '';
      const parsed = value === '' ? undefined : parse(value);
      if (parsed === undefined) {
        problems.push(
          value === '' ? `${name} is missing` : `${name} is ${JSON.stringify(value)}, expected ${expected}`,
        );
      }
      return parsed ?? '';
    },
    check<R>(request: R): R {
      if (problems.length > 0) throw new CniError(code.invalidEnvironment, problems.join('; '));
      return request;
    },
  };
}
