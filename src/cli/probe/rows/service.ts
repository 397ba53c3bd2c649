import { HcnTimeout } from '../../../hcn/errors.ts';
import { isFailure, isUnavailable } from '../../../hcn/hresults.ts';
import {
  attach,
  created,
  createEndpoint,
  createNamespace,
  createNetwork,
  granted,
  isGone,
  list,
  loadBalancerDocument,
} from '../fixtures.ts';
import type { Item, Laboratory } from '../laboratory.ts';
import { restartHns } from '../restart-hns.ts';
import { NotTried, type Observation, type Row, seen, symbolOf } from '../row.ts';

/** Waits until all have ended, so that nothing is running when the experiment ends. Throws the first failure. */
async function allOf(work: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(work);
  await Promise.all(work);
}

type Failure = number | 'timeout';

/** How a call fails; undefined if it succeeds. */
async function failureOf(call: Promise<{ readonly hresult: number }>): Promise<Failure | undefined> {
  try {
    const { hresult } = await call;
    return isFailure(hresult) ? hresult : undefined;
  } catch (error) {
    if (error instanceof HcnTimeout) return 'timeout';
    throw error;
  }
}

/** The failures of calls that start before a restart and end after it. */
async function failuresDuringRestart(laboratory: Laboratory): Promise<readonly Failure[]> {
  const failures: Failure[] = [];
  let isRestarting = true;
  const callOnce = async (): Promise<void> => {
    const failure = await failureOf(laboratory.enumerate('Network'));
    if (failure !== undefined) failures.push(failure);
  };
  const calls = async (): Promise<void> => {
    while (isRestarting) {
      await callOnce();
      await laboratory.pause(100);
    }
    await callOnce();
  };
  const restart = restartHns(laboratory).finally(() => {
    isRestarting = false;
  });
  await allOf([calls(), restart]);
  return failures;
}

/**
 * The absent ones among items, after some seconds if any. `isLate`: some were absent at first. Throws NotTried if HNS refuses to open
 * one for another reason until then.
 */
async function findAbsent(
  laboratory: Laboratory,
  items: readonly Item[],
): Promise<{ readonly absent: readonly Item[]; readonly isLate: boolean }> {
  const end = laboratory.now() + 20_000;
  for (let isLate = false; ; ) {
    const absent: Item[] = [];
    let refusal: number | undefined;
    for (const item of items) {
      const answer = await laboratory.open(item.kind, item.id);
      if (answer.value !== undefined) await laboratory.close(answer.value);
      else if (isGone(answer)) absent.push(item);
      else refusal = answer.hresult;
    }
    const isOver = laboratory.now() >= end;
    if (refusal !== undefined && isOver) throw new NotTried(`opening an object: ${symbolOf(refusal)}`);
    if (refusal === undefined && (absent.length === 0 || isOver)) return { absent, isLate };
    isLate ||= absent.length > 0;
    await laboratory.pause(1000);
  }
}

/** Objects of each kind. HNS may refuse the load balancer on a Private network. */
async function createObjects(laboratory: Laboratory): Promise<readonly Item[]> {
  const network = await createNetwork(laboratory);
  const endpoint = await createEndpoint(laboratory, network);
  const namespace = await createNamespace(laboratory);
  await attach(laboratory, namespace, endpoint);
  const items = [network, endpoint, namespace];
  const document = loadBalancerDocument(laboratory, [endpoint]);
  const answer = await laboratory.create('LoadBalancer', document);
  return answer.value === undefined ? items : [...items, await created(laboratory, answer, 'load balancer')];
}

const loadBalancers = 20;
/** libuv has four threads, and one is for the measured call. */
const atOnce = 3;

/** How long HcnEnumerateNetworks takes, in milliseconds; infinite without a response in time. */
async function enumerationTime(laboratory: Laboratory): Promise<number> {
  const started = laboratory.now();
  try {
    await list(laboratory, 'Network');
    return laboratory.now() - started;
  } catch (error) {
    if (error instanceof HcnTimeout) return Number.POSITIVE_INFINITY;
    throw error;
  }
}

/** The longest HcnEnumerateNetworks while load balancers are created. */
async function longestEnumeration(laboratory: Laboratory): Promise<number> {
  const network = await laboratory.base();
  const endpoint = await createEndpoint(laboratory, network);
  let left = loadBalancers;
  const createNext = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const document = loadBalancerDocument(laboratory, [endpoint]);
      granted(await laboratory.create('LoadBalancer', document), 'creating a load balancer');
    }
  };
  let isCreating = true;
  let longest = 0;
  const measure = async (): Promise<void> => {
    do {
      longest = Math.max(longest, await enumerationTime(laboratory));
      await laboratory.pause(50);
    } while (isCreating && Number.isFinite(longest));
  };
  const creations = allOf(Array.from({ length: atOnce }, createNext)).finally(() => {
    isCreating = false;
  });
  await allOf([measure(), creations]);
  return longest;
}

function seenDuration(milliseconds: number): Observation {
  const detail = Number.isFinite(milliseconds) ? `${Math.round(milliseconds)} ms` : 'no response in time';
  if (milliseconds < 1000) return seen('below 1 s', detail);
  return seen(milliseconds < 10_000 ? 'below 10 s' : 'longer', detail);
}

/** The Host Network Service while it restarts, and while it is busy. */
export const serviceRows: readonly Row[] = [
  {
    id: 'enumerationUnderLoad',
    claim: 'HNS lists networks within 10 s while load balancers are created',
    evidence: 'O k8s#109162 (busy for half a minute while kube-proxy starts)',
    handling: 'STATUS waits 10 s; a late response is a notice, not an error',
    experiment: {
      on: 'base',
      expected: ['below 1 s', 'below 10 s'],
      run: async (laboratory) => seenDuration(await longestEnumeration(laboratory)),
    },
  },
  {
    id: 'callsDuringRestart',
    claim: 'Calls that fail during a restart of HNS return an RPC or service error, or time out',
    evidence: 'I',
    handling: 'RPC errors, service errors and timeouts are error 11, so that the runtime retries',
    experiment: {
      on: 'service',
      expected: ['unavailable', 'no call failed'],
      run: async (laboratory) => {
        const failures = await failuresDuringRestart(laboratory);
        const names = new Set(failures.map((one) => (one === 'timeout' ? one : symbolOf(one))));
        const other = failures.find((one) => one !== 'timeout' && !isUnavailable(one));
        if (typeof other === 'number') return seen(symbolOf(other), [...names].join(', '));
        return failures.length === 0 ? seen('no call failed') : seen('unavailable', [...names].join(', '));
      },
    },
  },
  {
    id: 'objectsAfterRestart',
    claim: 'Objects survive a restart of HNS, and HNS finds them as soon as it responds',
    evidence: 'O k8s#139519 (load balancers return late)',
    handling: 'ADD creates an absent network; DEL reads an absent endpoint as deleted',
    experiment: {
      on: 'service',
      expected: ['kept'],
      run: async (laboratory) => {
        const items = await createObjects(laboratory);
        await restartHns(laboratory);
        const { absent, isLate } = await findAbsent(laboratory, items);
        if (absent.length === 0) return seen(isLate ? 'late' : 'kept');
        const kinds = absent.map(({ kind }) => kind).join(', ');
        return seen(absent.length === items.length ? 'lost' : 'lost in part', kinds);
      },
    },
  },
];
