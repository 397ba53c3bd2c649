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

/** DEL asks for no namespace: it may be gone. */
export interface DetachRequest {
  readonly command: 'DEL';
  readonly containerId: string;
  readonly ifname: string;
}

export type Request = AttachRequest | DetachRequest | { readonly command: 'VERSION' };

/**
 * Reads the CNI_* variables (specification, section 2, "Parameters").
 * Throws one error 4 that names every variable that is missing or malformed.
 */
export function readRequest(environment: Environment): Request {
  const command = environment['CNI_COMMAND'] ?? '';
  switch (command) {
    case 'VERSION':
      return { command };
    case 'DEL': {
      const read = reader(environment);
      const request = { command, containerId: read(containerId), ifname: read(ifname) } as const;
      read.finish();
      return request;
    }
    case 'ADD':
    case 'CHECK': {
      const read = reader(environment);
      const request = {
        command,
        containerId: read(containerId),
        ifname: read(ifname),
        netns: environment['CNI_NETNS'] ?? '',
        namespaceId: read(namespaceId),
      } as const;
      read.finish();
      return request;
    }
    default:
      throw new CniError(
        code.invalidEnvironment,
        `CNI_COMMAND is "${command}", expected ADD, CHECK, DEL or VERSION`,
      );
  }
}

interface Variable {
  readonly name: string;
  readonly expected: string;
  readonly parse: (value: string) => string | undefined;
}

const containerId: Variable = {
  name: 'CNI_CONTAINERID',
  expected: 'a letter or digit, then letters, digits, "_", "." or "-"',
  parse: (value) => (/^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/.test(value) ? value : undefined),
};

const ifname: Variable = {
  name: 'CNI_IFNAME',
  expected: 'at most 15 bytes, not "." or "..", without "/", ":" or white space',
  parse: (value) =>
    new TextEncoder().encode(value).length <= 15 && !/^\.{1,2}$|[/:\s\u0085]/u.test(value)
      ? value
      : undefined,
};

const namespaceId: Variable = {
  name: 'CNI_NETNS',
  expected: "an HCN namespace's GUID, or a path that ends in one",
  parse: (value) =>
    /(?:^|[\\/])\{?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\}?$/i.exec(value)?.[1]?.toLowerCase(),
};

function reader(environment: Environment) {
  const problems: string[] = [];
  const read = ({ name, expected, parse }: Variable): string => {
    const value = environment[name] ?? '';
    const parsed = value === '' ? undefined : parse(value);
    if (parsed === undefined) {
      problems.push(
        value === '' ? `${name} is missing` : `${name} is ${JSON.stringify(value)}, expected ${expected}`,
      );
    }
    return parsed ?? '';
  };
  const finish = (): void => {
    if (problems.length > 0) throw new CniError(code.invalidEnvironment, problems.join('; '));
  };
  return Object.assign(read, { finish });
}
