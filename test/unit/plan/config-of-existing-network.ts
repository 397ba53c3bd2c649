import type { NetworkConfig } from '../../../src/config/network-config.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';

/** The configuration of an existing L2Bridge network, with changes. */
export function configOfExistingNetwork(changes: object = {}): NetworkConfig {
  return readNetworkConfig({
    cniVersion: '1.0.0',
    name: 'cbr0',
    networkType: 'L2Bridge',
    createNetwork: 'never',
    ...changes,
  });
}
