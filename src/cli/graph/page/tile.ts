import { shortContainer, shortGuid } from '../../inventory/short-text.ts';
import type { GraphEndpoint } from '../graph-data.ts';
import { bareAddresses } from '../labels.ts';
import { element } from './element.ts';
import { keyOf } from './picked.ts';

/** An endpoint in the grid: its address, what it is for, and in a word what is special about it. */
export function tile(endpoint: GraphEndpoint): HTMLElement {
  const { id, name, container, owner, addresses } = endpoint;
  const [address = 'no address', ...others] = bareAddresses(endpoint);
  const purpose = container === undefined ? name || shortGuid(id) : shortContainer(container);
  const place = endpoint.remote && endpoint.providerAddress && `on ${endpoint.providerAddress}`;
  const tag = tagOf(endpoint);
  const key = keyOf({ kind: 'endpoint', id });
  return element(
    'button',
    {
      type: 'button',
      class: 'tile',
      'aria-pressed': 'false',
      'data-pick': key,
      'data-place': key,
      'data-owner': owner,
      'data-condition': tag?.condition,
      title: [addresses.join(', '), name, owner].filter(Boolean).join('\n'),
    },
    element('span', { class: 'address' }, others.length === 0 ? address : `${address} +${others.length}`),
    element('span', { class: 'purpose' }, place || purpose),
    tag?.text ? element('span', { class: 'tag' }, tag.text) : undefined,
  );
}

function tagOf({ health, stale, remote, owner, state }: GraphEndpoint) {
  if (health !== 'ok') return { text: 'error', condition: 'error' };
  if (stale !== undefined) return { text: 'stale', condition: 'stale' };
  if (remote) return { text: '', condition: 'remote' };
  if (owner === 'node') return { text: 'host', condition: 'host' };
  return state.startsWith('Attached') ? undefined : { text: state.toLowerCase(), condition: 'loose' };
}
