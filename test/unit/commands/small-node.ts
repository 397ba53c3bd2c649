import type { CommandContext } from '../../../src/commands/command-context.ts';
import type { IpamPlugin } from '../../../src/ipam/delegate.ts';
import type { HostAdapter } from '../../../src/net/host-adapter.ts';
import { describeNodeRoute, type NodeRoute } from '../../../src/net/node-route.ts';
import { commandContextOf } from '../../../src/plugin/command-context.ts';
import type { StepTargets } from '../../../src/steps/changes.ts';
import { executeSteps } from '../../../src/steps/execute.ts';
import {
  aTurn,
  changesIn,
  expectSoftly,
  type SmallHcn,
  type SmallHcnOptions,
  smallHcn,
} from '../hcn/small-hcn.ts';
import { hostAdapters } from '../plan/host-adapters.ts';

export interface SmallNode extends SmallHcn {
  readonly context: CommandContext;
  readonly targets: StepTargets;
  readonly notices: readonly string[];
  /** Changes to interfaces, for example `forward 7`. */
  readonly interfaces: readonly string[];
  /** Advances the clock. */
  pass(milliseconds: number): void;
  /** Fails a later step. Returns the calls of the rollback that change HCN. */
  rollBack(): Promise<readonly string[]>;
}

export interface SmallNodeOptions extends SmallHcnOptions, Partial<Pick<StepTargets, 'locateIpam'>> {
  readonly readAdapters?: () => Promise<readonly HostAdapter[]>;
}

/** A node with a few HCN objects and no IPAM plugin. Waiting advances only the node's own clock. */
export function smallNode(options: SmallNodeOptions = {}): SmallNode {
  const { readAdapters = async () => hostAdapters, locateIpam = () => undefined } = options;
  const small = smallHcn(options);
  const notices: string[] = [];
  const interfaces: string[] = [];
  let time = 0;
  const pass = (milliseconds: number): void => {
    time += milliseconds;
  };
  let isChanging = false;
  /** Records a change to interfaces at its end. One that overlaps another fails the test. */
  const change = async (text: string): Promise<void> => {
    expectSoftly(isChanging, `${text} begins before the end of another change`).toBe(false);
    isChanging = true;
    await aTurn();
    isChanging = false;
    interfaces.push(text);
  };
  let routes: readonly NodeRoute[] = [];
  const targets: StepTargets = {
    hcn: small.hcn,
    readNetworks: small.hcn.findNetworks,
    locateIpam,
    ipHelper: {
      readAdapters,
      readRoutes: async () => routes,
      createRoute: async (route) => {
        await change(`create ${describeNodeRoute(route)}`);
        routes = [...routes, route];
      },
      deleteRoute: async (route) => {
        await change(`delete ${describeNodeRoute(route)}`);
        const others = routes.filter((one) => describeNodeRoute(one) !== describeNodeRoute(route));
        const existed = others.length < routes.length;
        routes = others;
        return existed;
      },
      enableForwarding: (index) => change(`forward ${index}`),
      removeDefaultRoutes: (index) => change(`no default route ${index}`),
    },
    timer: (milliseconds, call) => {
      void aTurn().then(() => {
        pass(milliseconds);
        call();
      });
      return { cancel: () => undefined };
    },
    now: () => time,
  };
  const changes = executeSteps(targets);
  const context = commandContextOf(targets, changes, (entry) => {
    if (entry.event === 'notice') notices.push(entry.text);
  });
  const rollBack = async () => {
    const from = small.calls.length;
    const failing = changes.transaction(() => Promise.reject(new Error('a later step failed')));
    await failing.catch(() => undefined);
    return changesIn(small.calls.slice(from));
  };
  return { ...small, pass, context, targets, notices, interfaces, rollBack };
}

/** An IPAM plugin with this stdin that records the commands it runs and their input. */
export function ipamPlugin(stdin = '{}') {
  const runs: unknown[] = [];
  const inputs: string[] = [];
  const plugin: IpamPlugin = {
    type: 'host-local',
    path: 'C:\\cni\\host-local.exe',
    environment: {},
    stdin,
    spawn: async (_path, environment, input) => {
      await aTurn();
      inputs.push(input);
      runs.push(environment['CNI_COMMAND']);
      const stdout = JSON.stringify({ cniVersion: '1.0.0', ips: [{ address: '10.244.1.5/24' }] });
      return { exitCode: 0, stdout };
    },
  };
  return { plugin, runs, inputs };
}
