import { v5 as uuidv5 } from 'uuid';
import type { ComputeNetworkLibrary, Handle } from '../../src/hcn/library.ts';
import { serviceLibrary } from '../properties/service-library.ts';
import { type HnsOptions, initialState } from '../simulator/hns.ts';

/** Objects that are created in this order: the endpoints on the first network, the load balancers for the first endpoint. */
export interface Attempt {
  readonly networks: readonly object[];
  readonly endpoints?: readonly object[];
  readonly loadBalancers?: readonly object[];
  readonly options?: HnsOptions;
}

export const idOf = (kind: string, number = 0): string =>
  uuidv5(`${kind} ${number}`, '8b1c4a52-0c39-4b8f-a1f7-3f4a2d9e6b01');

const text = (document: object): string =>
  JSON.stringify({ SchemaVersion: { Major: 2, Minor: 0 }, ...document });

/** Creates the objects, and returns the HRESULT of each creation. */
export async function attempt(given: Attempt) {
  const { networks, endpoints = [], loadBalancers = [], options = {} } = given;
  const library = serviceLibrary(initialState(options));
  const created: { readonly hresult: number; readonly value: Handle }[] = [];
  for (const [number, document] of networks.entries())
    created.push(await library.create('Network', idOf('Network', number), text(document)));
  const network = created[0]?.value as Handle<'Network'>;
  for (const [number, document] of endpoints.entries())
    created.push(await library.createEndpoint(network, idOf('Endpoint', number), text(document)));
  for (const [number, document] of loadBalancers.entries()) {
    const whole = { HostComputeEndpoints: [idOf('Endpoint')], ...document };
    created.push(await library.create('LoadBalancer', idOf('LoadBalancer', number), text(whole)));
  }
  return { library, hresults: created.map(({ hresult }) => hresult) };
}

/** Returns the document of an object. */
export async function documentOf(
  library: ComputeNetworkLibrary,
  kind: Handle['kind'],
  id = idOf(kind),
): Promise<Readonly<Record<string, unknown>>> {
  const { value: handle } = await library.open(kind, id);
  return JSON.parse((await library.query(handle, text({}))).value);
}
