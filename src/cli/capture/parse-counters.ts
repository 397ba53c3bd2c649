import { isObject, type JsonObject } from '../../json/members.ts';
import { dropReasonText } from './drop-reasons.ts';
import { listIn, parseJsonList, textIn } from './parse-components.ts';
import type { Direction } from './parse-log.ts';

/** What a component counted in one direction. */
export interface Count {
  /** The component's number, if the output has it. */
  readonly component?: number;
  readonly name: string;
  readonly group: string;
  readonly direction: Direction;
  readonly packets: number;
  /** Absent for packets that were not dropped. The reason is empty if the output has none. */
  readonly drop?: { readonly reason: string };
}

const sides = { Inbound: 'in', Outbound: 'out' } as const;

/**
 * Reads `pktmon counters --json`; undefined if it has an unknown form. Microsoft documents that it has the last drop reason, but not under
 * which key, so any text whose key contains `reason` is taken. Counters of zero are left out.
 */
export function parseCounters(output: string): readonly Count[] | undefined {
  return parseJsonList(output.trim())?.flatMap((group) =>
    (listIn(group, 'Components') ?? []).flatMap((component) => {
      const id = component['Id'];
      const about = {
        ...(typeof id === 'number' && { component: id }),
        name: textIn(component, 'Name') ?? '',
        group: textIn(group, 'Group') ?? '',
      };
      return (listIn(component, 'Counters') ?? []).flatMap((counter) =>
        Object.entries(sides).flatMap(([key, direction]) => {
          const side = counter[key];
          const packets = isObject(side) ? Number(side['Packets'] ?? 0) : 0;
          if (!isObject(side) || !(packets > 0)) return [];
          const reason = reasonIn(side) ?? reasonIn(counter);
          const drop = isDropCounter(counter) ? { drop: { reason: dropReasonText(reason ?? '') } } : {};
          return [{ ...about, direction, packets, ...drop }];
        }),
      );
    }),
  );
}

/** `Drops` is the name or type of a counter of drops; those of packets are named after an edge. */
function isDropCounter(counter: JsonObject): boolean {
  return ['Type', 'Name'].some((key) => /^drops?\b/i.test(textIn(counter, key) ?? ''));
}

function reasonIn(object: JsonObject): string | undefined {
  const found = Object.entries(object).find(
    ([key, value]) => /reason/i.test(key) && ['string', 'number'].includes(typeof value),
  );
  return found === undefined ? undefined : String(found[1]);
}
