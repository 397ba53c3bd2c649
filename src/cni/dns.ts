import { parseAddress } from '../net/address.ts';
import { firstOf } from './error.ts';
import { type Dns, mergeDns } from './result.ts';

interface Rule {
  /** Returns the canonical text; undefined if the text is invalid. */
  readonly parse: (text: string) => string | undefined;
  readonly expected: string;
}

const address: Rule = { parse: parseAddress, expected: 'an IP address' };
const name: Rule = {
  parse: (text) => (/^[^\s\p{Cc},]{1,253}$/u.test(text) ? text : undefined),
  expected: 'a DNS name of at most 253 characters, without white space and commas',
};
const option: Rule = {
  parse: (text) => (/^\P{Cc}{1,253}$/u.test(text) ? text : undefined),
  expected: 'a resolver option of at most 253 characters, without control characters',
};

/**
 * DNS settings in the form that HNS accepts: without blank entries, and with one search domain per entry, because win-bridge joins the list
 * with commas. `refuse` gets each entry that HNS cannot use, with its path in the settings.
 */
export function readDnsSettings(
  { nameservers = [], domain = '', search = [], options = [] }: Dns,
  refuse: (path: string, found: string, expected: string) => void,
): Dns {
  const read = (texts: readonly string[], { parse, expected }: Rule, pathOf: (index: number) => string) =>
    texts.flatMap((text, index) => {
      if (text.trim() === '') return [];
      const parsed = parse(text);
      if (parsed === undefined) refuse(pathOf(index), text, expected);
      return parsed ?? [];
    });
  const [ownDomain = ''] = read([domain], name, () => 'domain');
  const settings = {
    nameservers: read(nameservers, address, (index) => `nameservers/${index}`),
    domain: ownDomain,
    search: search.flatMap((text, index) => read(text.split(/[\s,]/), name, () => `search/${index}`)),
    options: read(options, option, (index) => `options/${index}`),
  };
  return mergeDns(settings, {});
}

/** The settings that HNS can use, and at most one line about those that it cannot. `nameOf` names a member for its path. */
export function usableDns(
  given: Dns,
  nameOf: (path: string) => string,
): { readonly dns: Dns; readonly ignoredDns: readonly string[] } {
  const unusable: string[] = [];
  const dns = readDnsSettings(given, (path, found, expected) =>
    unusable.push(
      `DNS entry ignored: ${nameOf(path)} is ${JSON.stringify(found.slice(0, 80))}, expected ${expected}`,
    ),
  );
  return { dns, ignoredDns: firstOf(unusable) };
}
