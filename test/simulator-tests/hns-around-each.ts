import { afterEach, beforeEach } from 'vitest';
import { type Hns, type HnsOptions, startHns } from '../simulator/hns.ts';

/** Starts a service for each test. */
export function hnsAroundEach(options: HnsOptions = {}): { readonly hns: Hns } {
  const running: { hns?: Hns } = {};
  beforeEach(async () => {
    running.hns = await startHns(options);
    process.env['WIN_HCN_SIMULATED_HNS'] = running.hns.address;
  });
  afterEach(() => running.hns?.stop());
  return {
    get hns() {
      if (!running.hns) throw new Error('The service runs only during a test.');
      return running.hns;
    },
  };
}
