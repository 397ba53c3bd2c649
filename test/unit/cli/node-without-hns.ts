import type { IpHelper } from '../../../src/iphlpapi/ip-helper.ts';
import type { HostAdapter } from '../../../src/net/host-adapter.ts';
import { describeNodeRoute, type NodeRoute } from '../../../src/net/node-route.ts';
import type { System } from '../../../src/system.ts';
import { type CliEnvironment, type Printed, runCli } from '../../e2e/cli/run-cli.ts';
import { type SmallHcn, type SmallHcnOptions, smallHcn } from '../hcn/small-hcn.ts';
import { hostAdapters } from '../plan/host-adapters.ts';

export interface CliNode extends Pick<SmallHcn, 'calls' | 'all'> {
  /** The route table, which commands change. */
  readonly routes: NodeRoute[];
  /** Runs one command line on this node. */
  run(words: string, environment?: CliEnvironment): Promise<Printed>;
}

export interface CliNodeOptions extends SmallHcnOptions {
  readonly adapters?: readonly HostAdapter[];
  /** The error of the IP Helper. */
  readonly ipHelperError?: Error;
  /** The error of the IP Helper for routes only. */
  readonly routesError?: Error;
  /** What happens at the creation of a route; false if Windows does not create it. */
  readonly onCreateRoute?: (route: NodeRoute) => boolean;
}

/** Timers up to this duration are pauses, and end at once. Longer ones are time limits, and never end. */
const shortMilliseconds = 250;

/** A node with a few HCN objects for command lines, without a simulated service. Waiting advances only its own clock. */
export function cliNode({
  adapters = hostAdapters,
  ipHelperError,
  routesError,
  onCreateRoute = () => true,
  ...options
}: CliNodeOptions = {}): CliNode {
  const { library, calls, all } = smallHcn(options);
  const routes: NodeRoute[] = [];
  const orFail = async <T>(value: T): Promise<T> => {
    if (ipHelperError !== undefined) throw ipHelperError;
    return value;
  };
  const ipHelper: IpHelper = {
    readAdapters: () => orFail(adapters),
    readRoutes: () => (routesError === undefined ? orFail([...routes]) : Promise.reject(routesError)),
    createRoute: async (route) => {
      if (onCreateRoute(route)) routes.push(route);
    },
    deleteRoute: async (route) => {
      const at = routes.findIndex((one) => describeNodeRoute(one) === describeNodeRoute(route));
      if (at !== -1) routes.splice(at, 1);
      return at !== -1;
    },
    enableForwarding: async () => undefined,
    removeDefaultRoutes: async () => undefined,
  };
  let time = 0;
  const system: Partial<System> = {
    now: () => time,
    timer: (milliseconds, call) => {
      let isWaiting = milliseconds <= shortMilliseconds;
      queueMicrotask(() => {
        if (!isWaiting) return;
        time += milliseconds;
        call();
      });
      return {
        cancel: () => {
          isWaiting = false;
        },
      };
    },
    loadLibrary: async () => library,
    loadIpHelper: async () => ipHelper,
    clock: () => new Date(Date.UTC(2026, 0, 1)),
  };
  return {
    calls,
    all,
    routes,
    run: (words, environment = {}) =>
      runCli(words.split(' '), { ...environment, system: { ...system, ...environment.system } }),
  };
}
