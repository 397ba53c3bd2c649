import { isFailure } from '../../../hcn/hresults.ts';
import { isObject, type JsonObject } from '../../../json/members.ts';
import { createEndpoint, granted, memberRequest, read } from '../fixtures.ts';
import type { Item, Laboratory } from '../laboratory.ts';
import { NotTried, type Row, seen, symbolOf } from '../row.ts';

/** How long and how often attaching is retried, in milliseconds. */
const retry = { total: 10_000, interval: 500 };

/** How long Windows may take to list a new interface, in milliseconds. */
const listing = { total: 5000, interval: 500 };

/** What the filter for the node's namespace finds. */
async function findDefaults(
  laboratory: Laboratory,
): Promise<readonly (readonly [Item<'Namespace'>, JsonObject])[]> {
  const ids = granted(await laboratory.enumerate('Namespace', { IsDefault: true }), 'listing namespaces');
  const found: (readonly [Item<'Namespace'>, JsonObject])[] = [];
  for (const id of ids) {
    const namespace = granted(await laboratory.open('Namespace', id), 'opening a namespace');
    found.push([namespace, await read(laboratory, namespace)]);
  }
  return found;
}

/** https://learn.microsoft.com/virtualization/api/hcn/hns_schema#HostComputeNamespace */
const hostCompartment = 1;

function isHostDefault({ Type }: JsonObject): boolean {
  return String(Type).toLowerCase() === 'hostdefault';
}

interface HostAttachment {
  readonly endpoint: Item<'Endpoint'>;
  /** The HRESULTs of refusals, in order. */
  readonly refusals: readonly number[];
  readonly isAttached: boolean;
}

/** Attaches a new endpoint to the node's namespace. */
async function attachToHost(laboratory: Laboratory): Promise<HostAttachment> {
  const [[namespace] = []] = (await findDefaults(laboratory)).filter(
    ([, document]) => isHostDefault(document) && document['NamespaceId'] === hostCompartment,
  );
  if (namespace === undefined) throw new NotTried('HCN lists no namespace of the node');
  const endpoint = await createEndpoint(laboratory, await laboratory.base());
  const request = memberRequest('Add', endpoint.id);
  const refusals: number[] = [];
  const end = laboratory.now() + retry.total;
  for (;;) {
    const { hresult } = await laboratory.modify(namespace, request);
    if (!isFailure(hresult)) return { endpoint, refusals, isAttached: true };
    refusals.push(hresult);
    if (laboratory.now() >= end) return { endpoint, refusals, isAttached: false };
    await laboratory.pause(retry.interval);
  }
}

/** The default routes of the node's interface for an endpoint. Throws NotTried if Windows does not list the interface. */
async function defaultRoutesOf(
  laboratory: Laboratory,
  endpoint: Item<'Endpoint'>,
): Promise<readonly string[]> {
  const { IpConfigurations } = await read(laboratory, endpoint);
  const [first] = Array.isArray(IpConfigurations) ? IpConfigurations : [];
  const own = isObject(first) ? first['IpAddress'] : undefined;
  const end = laboratory.now() + listing.total;
  for (;;) {
    const adapters = await laboratory.adapters();
    const adapter = adapters.find(({ addresses }) => addresses.some(({ address }) => address === own));
    const isOver = laboratory.now() >= end;
    // Windows may list the address before its route.
    if (adapter !== undefined && (adapter.gateways.length > 0 || isOver)) return adapter.gateways;
    if (isOver) throw new NotTried(`Windows lists no interface with ${String(own)}`);
    await laboratory.pause(listing.interval);
  }
}

/** .NET calls GetAdaptersAddresses too, and leaves nothing out. */
const interfaceNames =
  '[Net.NetworkInformation.NetworkInterface]::GetAllNetworkInterfaces() | ForEach-Object { $_.Name }';

/**
 * The node's namespace and its interfaces. Attaching adds an interface to the node, which Windows may use or register in DNS: such
 * experiments need --adapter.
 */
export const hostNamespaceRows: readonly Row[] = [
  {
    id: 'isDefaultFilter',
    claim: 'The filter IsDefault finds one namespace, of type HostDefault',
    evidence: 'S terway endpoint.go',
    handling: 'uses it, else the namespace of type HostDefault with compartment 1',
    experiment: {
      on: 'base',
      expected: ['one'],
      run: async (laboratory) => {
        const defaults = await findDefaults(laboratory);
        // They could be those of pods.
        for (const [namespace] of defaults) await laboratory.close(namespace);
        const found = defaults.map(([, document]) => document);
        if (found.length !== 1) return seen(found.length === 0 ? 'none' : 'several');
        return seen(found.every(isHostDefault) ? 'one' : 'of another type');
      },
    },
  },
  {
    id: 'hostAttach',
    claim: "A new endpoint can be attached to the node's namespace at once",
    evidence: 'S flannel hostgw_windows.go and terway endpoint.go retry',
    handling: 'retries for 5 s',
    experiment: {
      on: 'L2Bridge',
      expected: ['at once'],
      run: async (laboratory) => {
        const { refusals, isAttached } = await attachToHost(laboratory);
        const codes = refusals.map(symbolOf).join(', ');
        if (!isAttached) return seen('refused', codes);
        return refusals.length === 0 ? seen('at once') : seen('after refusals', codes);
      },
    },
  },
  {
    id: 'earlyHostAttach',
    claim: "While the node's namespace refuses a new endpoint, HNS returns ERROR_WRONG_DISK",
    evidence: 'O flannel#1112 (0x80070022, the only code on record); 0x803B0028, a missing interface, is I',
    handling: 'retries after any refusal',
    experiment: {
      on: 'L2Bridge',
      expected: ['ERROR_WRONG_DISK'],
      run: async (laboratory) => {
        const [first] = (await attachToHost(laboratory)).refusals;
        if (first === undefined) throw new NotTried('HNS attached the endpoint at once');
        return seen(symbolOf(first));
      },
    },
  },
  {
    id: 'hostDefaultRoute',
    claim: "The interface of an endpoint in the node's namespace gets a default route, even if none was sent",
    evidence: 'I',
    handling: 'sends no route, and deletes the default routes of the interface',
    experiment: {
      on: 'L2Bridge',
      expected: ['added'],
      run: async (laboratory) => {
        const { endpoint, isAttached, refusals } = await attachToHost(laboratory);
        if (!isAttached) throw new NotTried(`attaching the endpoint: HCN returned ${refusals.map(symbolOf)}`);
        const routes = await defaultRoutesOf(laboratory, endpoint);
        return routes.length === 0 ? seen('none') : seen('added', routes.join(', '));
      },
    },
  },
  {
    id: 'filterDrivers',
    claim: 'GetAdaptersAddresses does not list filter drivers as adapters',
    evidence: 'D GAA_FLAG_INCLUDE_ALL_INTERFACES lists them; without the flag I',
    handling: 'ignores an alias that is another alias followed by `-…-0000`',
    experiment: {
      on: 'base',
      expected: ['absent'],
      run: async (laboratory) => {
        const names = (await laboratory.powershell(interfaceNames, 30))
          .split(/\r?\n/)
          .map((name) => name.trim())
          .filter((name) => name !== '');
        if (names.length === 0) throw new NotTried('PowerShell listed no interface');
        const filter = names.find(
          (name) => /-\d{4}$/.test(name) && names.some((other) => name.startsWith(`${other}-`)),
        );
        return filter === undefined ? seen('absent') : seen('listed', filter);
      },
    },
  },
];
