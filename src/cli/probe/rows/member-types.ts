import { isObject } from '../../../json/members.ts';
import type { ReturnedDocument } from '../context.ts';
import { seen } from '../observation.ts';
import { attachment, firstEndpoint } from '../parts.ts';
import type { Row } from '../row.ts';

/** The members of documents and error records by their JSON types: https://learn.microsoft.com/virtualization/api/hcn/hns_schema */
const documented: Readonly<Record<string, string>> = {
  string:
    'ID Name Type HostComputeNetwork HostComputeNamespace MacAddress IpAddress IpAddressPrefix NextHop DestinationPrefix Domain ' +
    'StartMacAddress EndMacAddress SourceVIP NetworkAdapterName ProviderAddress Address Action Direction RuleType Protocols ' +
    'LocalAddresses RemoteAddresses LocalPorts RemotePorts VirtualIP Id ManagementIP Error',
  number:
    'Flags Metric PrefixLength State NamespaceId Major Minor LastErrorCode IsolationId Overhead Priority Protocol InternalPort ' +
    'ExternalPort DistributionType MaximumOutgoingBandwidthInBytes Port ErrorCode',
  boolean: 'NeedEncap Success',
  array:
    'Policies Ipams Subnets Routes IpConfigurations Ranges Search ServerList Options Namespace.Resources HostComputeEndpoints FrontendVIPs ' +
    'PortMappings Exceptions Destinations',
  object: 'Dns MacPool Health SchemaVersion Settings Data Extra',
};

const typeOfMember = new Map(
  Object.entries(documented).flatMap(([type, names]) => names.split(' ').map((name) => [name, type])),
);

const members = new Set([...typeOfMember.keys()].map((name) => name.replace('Namespace.', '').toLowerCase()));

/** Whether a member of documents is documented, in whatever case. */
export function isDocumented(name: string): boolean {
  return members.has(name.toLowerCase());
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : typeof value;
}

/** The members of a value with another type than documented, as in `Network.Flags: string instead of number`. Other members are `*`. */
function deviations(value: unknown, path: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one) => deviations(one, path));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const [actual, expected] = [
      typeOf(member),
      typeOfMember.get(`${path}.${name}`) ?? typeOfMember.get(name),
    ];
    const isOther = expected !== undefined && expected !== actual;
    const own = isOther ? [`${path}.${name}: ${actual} instead of ${expected}`] : [];
    return [...own, ...deviations(member, `${path}.${isDocumented(name) ? name : '*'}`)];
  });
}

function deviationsIn(returned: readonly ReturnedDocument[]): readonly string[] {
  const found = returned.flatMap(({ kind, document }) => {
    const { SchemaVersion: version } = document;
    // V1 documents have other members of the same names.
    return isObject(version) && version['Major'] === 1 ? [] : deviations(document, kind);
  });
  return [...new Set(found)];
}

/** The JSON types of all that HNS returned in this run. */
export const memberTypeRows: readonly Row[] = [
  {
    id: 'memberTypes',
    claim: 'Every member that HNS returns has the documented JSON type',
    on: 'end',
    expected: ['as documented'],
    handled: ['other'],
    uses: [firstEndpoint, attachment],
    run: async (context) => {
      // Without other experiments.
      if (context.returned.length === 0) {
        await context.share(firstEndpoint);
        await context.share(attachment);
      }
      const found = deviationsIn(context.returned);
      return found.length === 0 ? seen('as documented') : seen('other', found.join('; '));
    },
  },
];
