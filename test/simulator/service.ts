// Runs calls: dispatches each one, and applies faults before and after.

import { Connections } from './connections.ts';
import { dispatch } from './dispatch.ts';
import { makeUnhealthy } from './endpoint-state.ts';
import { type Effect, Faults, Holds } from './faults.ts';
import { isIpHelper } from './functions.ts';
import { Handles } from './handles.ts';
import { hostInterfaces } from './host-interfaces.ts';
import { errorRecord, HnsError, hresultOf } from './hresults.ts';
import { Pace } from './latency.ts';
import { zeroGuid } from './object-id.ts';
import { removeObject } from './objects.ts';
import { namespaceOf, objectsOf, type State } from './state.ts';
import type { AnswerFrame, CallFrame } from './wire.ts';

/** A recorded call with its result: 0x800706BE for a call that hangs or whose connection is dropped. */
export interface Call {
  readonly function: string;
  readonly id?: string;
  /** The parsed settings or query; the text itself if it is not JSON. */
  readonly document?: unknown;
  readonly hresult: number;
}

const createNetwork = 'HcnCreateNetwork';

export class Service {
  readonly state: State;
  readonly handles = new Handles();
  readonly faults = new Faults();
  readonly holds = new Holds();
  readonly connections: Connections;
  readonly calls: Call[] = [];
  /** The called functions of the IP Helper. */
  readonly ipHelperCalls: string[] = [];
  readonly pace = new Pace();
  #creatingNetworks = 0;
  /** How many calls of each client are running, not counting calls that hang. */
  readonly #running = new Map<number, number>();

  constructor(state: State) {
    this.state = state;
    this.connections = new Connections({
      call: (frame) => this.#call(frame),
      clientGone: (client) => this.#runDown(client),
    });
  }

  async #call(frame: CallFrame): Promise<AnswerFrame | undefined> {
    this.#count(frame.client, 1);
    const effects = [...this.#crowding(frame), ...this.#stuck(frame), ...this.faults.due(frame.function)];
    const about = this.#describe(frame);
    await this.pace.take(frame);
    const delay = Math.max(0, ...effects.map((effect) => ('delayMs' in effect ? effect.delayMs : 0)));
    if (delay > 0) await this.pace.wait(delay);
    for (const effect of effects) if ('vanish' in effect) this.#vanish(effect.vanish);
    const isLostBefore = isHeld(effects, 'before') && (await this.holds.wait(frame.function));
    const answer = isLostBefore ? { hresult: 0 } : this.#answer(frame, effects);
    if (frame.function === createNetwork) this.#creatingNetworks -= 1;
    this.#count(frame.client, -1);
    this.#runDown(frame.client);
    const hangs = effects.some((effect) => 'hang' in effect);
    const lost = isLostBefore || hangs || effects.some((effect) => 'drop' in effect);
    if (isIpHelper(frame.function)) this.ipHelperCalls.push(frame.function);
    else this.calls.push({ ...about, hresult: lost ? hresultOf('RPC_S_CALL_FAILED') : answer.hresult });
    if (hangs) await this.holds.wait(frame.function);
    const isLostAfter = isHeld(effects, 'after') && (await this.holds.wait(frame.function));
    return lost || isLostAfter ? undefined : answer;
  }

  #count(client: number, change: number): void {
    this.#running.set(client, (this.#running.get(client) ?? 0) + change);
  }

  /** Closes a client's handles when it is gone and its last call has ended, as RPC does. */
  #runDown(client: number): void {
    if (this.connections.isPresent(client) || (this.#running.get(client) ?? 0) > 0) return;
    this.#running.delete(client);
    this.handles.releaseClient(client);
  }

  /** Creating two networks at the same time may fail [C]. A creation then takes long enough for another one to meet it. */
  #crowding(frame: CallFrame): Effect[] {
    if (frame.function !== createNetwork) return [];
    this.#creatingNetworks += 1;
    if (this.state.release.switches.concurrentNetworks !== 'some refused') return [];
    return this.#creatingNetworks > 1 ? [{ hresult: hresultOf('E_FAIL') }] : [{ delayMs: 20 }];
  }

  /** Deleting an attached endpoint may hang (moby#40699, antrea#650) [O]. */
  #stuck(frame: CallFrame): Effect[] {
    const endpoint = this.state.endpoints.get(frame.guid ?? '');
    const deletes = frame.function === 'HcnDeleteEndpoint' && endpoint && namespaceOf(this.state, endpoint);
    return deletes && this.state.release.switches.attachedEndpointDeletion === 'hangs'
      ? [{ hang: true }]
      : [];
  }

  #answer(frame: CallFrame, effects: readonly Effect[]): AnswerFrame {
    if (effects.some((effect) => 'hang' in effect || ('drop' in effect && effect.drop === 'before')))
      return { hresult: 0 };
    const refusal = effects.find((effect) => 'hresult' in effect);
    const known = new Set(effects.length === 0 ? [] : this.state.endpoints.keys());
    let answer = refusal ? failure(frame, refusal.hresult, '') : this.#execute(frame);
    for (const effect of effects) {
      if ('unhealthy' in effect) makeUnhealthy(this.state, known, effect.unhealthy);
      if ('answer' in effect) answer = { ...answer, value: effect.answer };
      if ('errorRecord' in effect) answer = { ...answer, errorRecord: effect.errorRecord };
    }
    return answer;
  }

  #execute(frame: CallFrame): AnswerFrame {
    try {
      const answer = dispatch(this.state, this.handles, frame);
      if (!/^Hcn(Query|Enumerate|Open|Close)/.test(frame.function)) hostInterfaces(this.state);
      return { hresult: 0, ...answer };
    } catch (error) {
      if (error instanceof HnsError) return failure(frame, error.hresult, error.detail);
      process.stderr.write(`the simulated service failed in ${frame.function}: ${String(error)}\n`);
      return failure(frame, hresultOf('E_UNEXPECTED'), '');
    }
  }

  #vanish({ kind, id }: { readonly kind: Parameters<typeof removeObject>[1]; readonly id: string }): void {
    const key = id.toLowerCase();
    if (kind === 'Namespace') this.state.namespaces.delete(key);
    else if (objectsOf(this.state, kind).has(key)) removeObject(this.state, kind, key);
  }

  #describe(frame: CallFrame): Omit<Call, 'hresult'> {
    const [text] = frame.strings;
    const id = frame.guid ?? this.handles.objectOf(frame.handle)?.id;
    if (frame.function === 'HNSCall') {
      const [Method, Path, Request] = frame.strings;
      return { function: frame.function, document: { Method, Path, Request } };
    }
    return {
      function: frame.function,
      ...(id !== undefined && id !== zeroGuid && { id }),
      ...(text != null && { document: parsed(text) }),
    };
  }
}

function isHeld(effects: readonly Effect[], when: 'before' | 'after'): boolean {
  return effects.some((effect) => 'hold' in effect && effect.hold === when);
}

/** HNSCall returns value and error record in one string. */
function failure(frame: CallFrame, hresult: number, detail: string): AnswerFrame {
  const record = errorRecord(hresult, detail);
  return frame.function === 'HNSCall' ? { hresult, value: record } : { hresult, errorRecord: record };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
