import { endpoints } from './endpoints.ts';
import { loadBalancers } from './load-balancers.ts';
import { networks } from './networks.ts';
import { restarts } from './restarts.ts';
import { runtimes } from './runtimes.ts';
import type { Scenario } from './scenario.ts';
import { windowsBuilds } from './windows-builds.ts';

/** All scenarios, by theme. */
export const themes: Readonly<Record<string, readonly Scenario[]>> = {
  networks,
  endpoints,
  'load balancers': loadBalancers,
  restarts,
  runtimes,
  'builds of Windows': windowsBuilds,
};

export const scenarios: readonly Scenario[] = Object.values(themes).flat();
