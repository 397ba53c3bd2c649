import type { StormNetwork } from './networks.ts';
import type { Random } from './random.ts';
import type { Tally } from './tally.ts';
import type { World } from './world.ts';

/** The faults of a round, and its other disturbances. */
export interface Climate {
  readonly name: string;
  readonly faults?: true;
  readonly hangs?: true;
  readonly kills?: true;
  readonly restarts?: true;
  readonly reboot?: true;
  readonly ipam?: true;
  /** HNS is slow, but within the limits. */
  readonly slow?: true;
  /** Two requests of one attachment at once, and commands by hand that change HNS. */
  readonly crowd?: true;
}

export const climates: readonly [Climate, ...Climate[]] = [
  { name: 'calm' },
  { name: 'crowd', crowd: true },
  { name: 'slow crowd', slow: true, crowd: true },
  { name: 'faults', faults: true },
  { name: 'hangs', hangs: true },
  { name: 'kills', kills: true },
  { name: 'restarts', restarts: true },
  { name: 'reboot', reboot: true, kills: true },
  { name: 'ipam', ipam: true },
  { name: 'kills in a crowd', kills: true, crowd: true },
  {
    name: 'everything',
    faults: true,
    hangs: true,
    kills: true,
    restarts: true,
    reboot: true,
    ipam: true,
    crowd: true,
  },
];

/** An attachment of a round, and its state according to the runtime. */
export interface StormPod {
  readonly containerId: string;
  readonly netns: string;
  readonly network: StormNetwork;
  readonly config: Readonly<Record<string, unknown>>;
  /** Unsure after a kill, a failed DEL, two requests at once, or a change by hand. */
  state: 'absent' | 'works' | 'unsure';
  result: unknown;
  /** The number of requests that run now, and of those that have started. */
  running: number;
  started: number;
}

export interface Round {
  readonly world: World;
  readonly random: Random;
  readonly climate: Climate;
  readonly pods: readonly StormPod[];
  readonly tally: Tally;
  /** Changes when all pods are gone, as after a reboot. */
  era: number;
  /** The storm is over: later requests must succeed. */
  isOver: boolean;
  /** Waits; shorter in a test of the storm. */
  pause(milliseconds: number): Promise<unknown>;
  tell(line: string): void;
  find(line: string): void;
}

export function isCalm({ climate, isOver }: Round): boolean {
  return isOver || climate.name === 'calm';
}
