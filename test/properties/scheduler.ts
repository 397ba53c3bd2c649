import assert from 'node:assert/strict';
import type { Timer } from '../../src/hcn/deadline.ts';
import type { ComputeNetworkLibrary, HcnResponse } from '../../src/hcn/library.ts';
import type { IpHelper } from '../../src/iphlpapi/ip-helper.ts';

/** A call of a command that has not taken effect yet. */
interface Pending {
  readonly command: number;
  readonly name: string;
  readonly finish: () => void;
}

/** Which of the waiting calls takes effect next: its index. `commands` has the command of each. */
export type Choose = (commands: readonly number[]) => number;

/** Lets the calls of commands take effect one at a time, in an order that `choose` decides. Time passes only if no call waits. */
export interface Scheduler {
  readonly timer: Timer;
  now(): number;
  /** Calls that a command made, or results that it returned, before one of its changes took effect. */
  readonly overtakings: readonly string[];
  library(command: number, library: ComputeNetworkLibrary): ComputeNetworkLibrary;
  ipHelper(command: number, helper: IpHelper): IpHelper;
  spawn<T>(command: number, name: string, work: () => T): Promise<T>;
  /** Waits for the results of commands that have been started, in the order of their numbers, and for the calls they left. */
  finish<T>(commands: readonly Promise<T>[]): Promise<readonly T[]>;
}

/** Functions that change HCN, the route table or the addresses. */
const isChange = (name: string) => /Create|Modify|Delete|enable|remove|create|delete|ADD|DEL|GC/.test(name);

export function newScheduler(choose: Choose): Scheduler {
  let waiting: readonly Pending[] = [];
  const timers = new Set<{ readonly due: number; readonly call: () => void }>();
  const overtakings: string[] = [];
  const ended = new Set<number>();
  let time = 0;

  const overtake = (command: number, what: string): void => {
    for (const { name } of waiting.filter((one) => one.command === command && isChange(one.name)))
      overtakings.push(`${what} before the end of ${name}`);
  };
  const call = <T>(command: number, name: string, work: () => T | Promise<T>): Promise<T> => {
    overtake(command, name);
    if (ended.has(command) && isChange(name)) overtakings.push(`${name} after the result`);
    return new Promise((resolve, reject) => {
      const finish = (): void => {
        new Promise<T>((settle) => settle(work())).then(resolve, reject);
      };
      waiting = [...waiting, { command, name, finish }];
    });
  };
  const finishNext = (): void => {
    const next = waiting[choose(waiting.map(({ command }) => command))];
    assert.ok(next !== undefined);
    waiting = waiting.filter((one) => one !== next);
    next.finish();
  };
  const passTime = (): void => {
    const [first] = [...timers].toSorted((one, other) => one.due - other.due);
    assert.ok(first !== undefined, 'a command waits for nothing and does not end');
    timers.delete(first);
    time = Math.max(time, first.due);
    first.call();
  };

  return {
    timer: (milliseconds, callback) => {
      const timer = { due: time + milliseconds, call: callback };
      timers.add(timer);
      return { cancel: () => timers.delete(timer) };
    },
    now: () => time,
    overtakings,
    library: (command, library) => {
      const hcn = <T>(name: string, work: () => Promise<HcnResponse<T>>): Promise<HcnResponse<T>> =>
        call(command, name, work);
      return {
        enumerate: (kind, query) => hcn(`HcnEnumerate${kind}s`, () => library.enumerate(kind, query)),
        create: (kind, ...given) => hcn(`HcnCreate${kind}`, () => library.create(kind, ...given)),
        createEndpoint: (...given) => hcn('HcnCreateEndpoint', () => library.createEndpoint(...given)),
        open: (kind, id) => hcn(`HcnOpen${kind}`, () => library.open(kind, id)),
        query: (handle, query) => hcn(`HcnQuery${handle.kind}`, () => library.query(handle, query)),
        modify: (handle, document) => hcn(`HcnModify${handle.kind}`, () => library.modify(handle, document)),
        delete: (kind, id) => hcn(`HcnDelete${kind}`, () => library.delete(kind, id)),
        close: (handle) => hcn(`HcnClose${handle.kind}`, () => library.close(handle)),
        hnsCall: (...given) => hcn('HNSCall', () => library.hnsCall(...given)),
      };
    },
    ipHelper: (command, helper) => {
      const asked = <T>(name: string, work: () => Promise<T>): Promise<T> => call(command, name, work);
      return {
        readAdapters: () => asked('readAdapters', () => helper.readAdapters()),
        enableForwarding: (index) => asked('enableForwarding', () => helper.enableForwarding(index)),
        removeDefaultRoutes: (index) => asked('removeDefaultRoutes', () => helper.removeDefaultRoutes(index)),
        readRoutes: () => asked('readRoutes', () => helper.readRoutes()),
        createRoute: (route) => asked('createRoute', () => helper.createRoute(route)),
        deleteRoute: (route) => asked('deleteRoute', () => helper.deleteRoute(route)),
      };
    },
    spawn: (command, name, work) => call(command, name, work),
    finish: async (commands) => {
      let running = commands.length;
      const results = commands.map((result, command) =>
        result.finally(() => {
          running -= 1;
          ended.add(command);
          overtake(command, 'the result');
        }),
      );
      for (const result of results) result.catch(() => undefined);
      for (;;) {
        // Code that awaited a result continues in microtasks, and makes its next calls before an immediate runs.
        await new Promise(setImmediate);
        if (waiting.length > 0) finishNext();
        else if (running > 0) passTime();
        else return Promise.all(results);
      }
    },
  };
}
