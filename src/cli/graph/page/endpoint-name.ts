import { shortContainer, shortGuid } from '../../terminal/short-text.ts';
import type { GraphEndpoint } from '../graph-data.ts';
import { bareAddresses } from './presentation.ts';

/** The two lines of an endpoint's tile. */
export interface EndpointTexts {
  readonly name: string;
  /** Whether the name is an id or address. */
  readonly isCode: boolean;
  /** The address, or the node of a remote endpoint. */
  readonly place: string;
}

/**
 * An endpoint is named by its pod, otherwise by its container, its own name or its id. Programs name remote endpoints by their
 * address.
 */
export function endpointTexts(endpoint: GraphEndpoint): EndpointTexts {
  const { id, pod, container, name, remote, providerAddress } = endpoint;
  const [address = 'no address', ...others] = bareAddresses(endpoint);
  const place = others.length === 0 ? address : `${address} +${others.length}`;
  if (pod !== undefined) return { name: pod, isCode: false, place };
  if (container !== undefined) return { name: shortContainer(container), isCode: true, place };
  if (remote && (name === '' || name.includes(address)))
    return { name: place, isCode: true, place: providerAddress ? `on ${providerAddress}` : 'remote' };
  return name === '' ? { name: shortGuid(id), isCode: true, place } : { name, isCode: false, place };
}
