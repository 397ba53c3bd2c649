import type { Adapter } from '../simulator/state.ts';

/**
 * An adapter with an address that Wine's IP Helper always reports, on its loopback interface. ADD waits until an interface has the
 * address of an Overlay network's adapter.
 */
export const loopbackAdapter: Adapter = { name: 'Ethernet', managementIp: '127.0.0.1' };
