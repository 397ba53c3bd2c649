import { createNetwork } from './fixtures.ts';
import { type CallRecord, type Equipment, type Item, type Network, newLaboratory } from './laboratory.ts';
import { removeItems } from './leftovers.ts';
import { type Ground, type NetworkType, NotTried } from './row.ts';

/** The network that experiments on one ground share: created when the first one uses it. */
export interface SharedNetwork {
  /** The type of the network on a ground. */
  typeFor(on: Ground): NetworkType;
  /** Throws NotTried, for each experiment, if HNS refuses the network. */
  use(type: NetworkType, record: (call: CallRecord) => void): Promise<Network>;
  /** Deletes a network of another type. */
  clear(type: NetworkType): Promise<void>;
  remove(): Promise<void>;
}

export function newSharedNetwork(equipment: Equipment): SharedNetwork {
  let current: { readonly type: NetworkType; readonly network: Promise<Network> } | undefined;
  const created: Item[] = [];
  const remove = async (): Promise<void> => {
    current = undefined;
    await removeItems(created.splice(0), equipment);
  };
  return {
    remove,
    typeFor: (on) => {
      if (on === 'base' || on === 'service') return equipment.adapter === undefined ? 'Private' : 'L2Bridge';
      return on;
    },
    use: (type, record) => {
      if (current?.type === type) return current.network;
      const base = () => Promise.reject(new NotTried('the network is being created'));
      const keep = (item: Item) => void created.push(item);
      const laboratory = newLaboratory(equipment, { base, record, keep });
      current = { type, network: createNetwork(laboratory, {}, type) };
      return current.network;
    },
    clear: async (type) => {
      if (current !== undefined && current.type !== type) await remove();
    },
  };
}
