import { isObject, type JsonObject, parseJson } from '../../json/members.ts';
import { linesOf, nonEmptyLines } from './pktmon.ts';

/** What `pktmon status` reports. `unknown`: the output has an unknown form. `log`: the path of the log file, if the output names one. */
export type CaptureStatus =
  | { readonly is: 'idle' | 'unknown' }
  | { readonly is: 'running'; readonly log: string | undefined };

/**
 * Reads the output of `pktmon status`. Windows translates it: a running capture is described by several lines, with the path of its log;
 * that none runs is one line.
 */
export function parseStatus(output: string): CaptureStatus {
  const lines = nonEmptyLines(output);
  if (lines.some((line) => /\bnot running\b/i.test(line))) return { is: 'idle' };
  const log = lines.flatMap((line) => pathIn(line) ?? [])[0];
  if (log !== undefined || lines.length > 1 || lines.some((line) => /\brunning\b/i.test(line)))
    return { is: 'running', log };
  return { is: lines.length === 1 ? 'idle' : 'unknown' };
}

/** The path of a log in a line, of a drive or a share. */
function pathIn(line: string): string | undefined {
  const start = line.search(/[A-Za-z]:[\\/]|\\\\/);
  return start < 0 ? undefined : /^.*\.etl\b/i.exec(line.slice(start))?.[0];
}

/**
 * Reads the names of the filters in the output of `pktmon filter list`; undefined if it has an unknown form. A table has a row for each
 * filter, which starts with its number; without filters, one word follows the title. Windows translates titles, but not rows.
 */
export function parseFilterNames(output: string): readonly string[] | undefined {
  const lines = linesOf(output);
  const rows = lines.filter((line) => /^\s*\d+\s+\S/.test(line));
  if (rows.length === 0) return nonEmptyLines(output).length <= 2 ? [] : undefined;
  // The second and third of the dashed lines below the titles.
  const [, name, next] = [...(lines.find((line) => /^\s*-(?: +-+)+\s*$/.test(line)) ?? '').matchAll(/-+/g)];
  return rows.map((row) =>
    name === undefined ? (row.trim().split(/\s+/)[1] ?? '') : row.slice(name.index, next?.index).trim(),
  );
}

/** A network component that pktmon observes, such as a driver bound to an adapter. */
export interface Component {
  readonly id: number;
  readonly name: string;
  /** Such as `Miniport`, `Filter`, `Protocol`, `VmsMiniport`. */
  readonly type?: string;
  /** The driver's file, such as `vmswitch.sys`. */
  readonly driver?: string;
  /** The adapter or virtual switch that pktmon lists it with. */
  readonly group?: string;
  /** Values by name in lower case. */
  readonly properties: ReadonlyMap<string, readonly string[]>;
}

/**
 * Reads `pktmon list --json`: `[{ Group, Components: [{ Id, Name, Type, DriverName, Properties: [{ Name, Value }] }] }]`. What has another
 * form is left out.
 */
export function parseComponents(output: string): readonly Component[] {
  return objectsIn(parsed(output)).flatMap((group) =>
    objectsIn(group['Components']).flatMap((one): readonly Component[] => {
      const id = Number(one['Id'] ?? Number.NaN);
      if (!Number.isInteger(id)) return [];
      const [type, driver, name] = [textIn(one, 'Type'), textIn(one, 'DriverName'), textIn(group, 'Group')];
      const properties = Map.groupBy(objectsIn(one['Properties']), (property) =>
        String(property['Name']).toLowerCase(),
      );
      return [
        {
          id,
          name: textIn(one, 'Name') ?? '',
          ...(type !== undefined && { type }),
          ...(driver !== undefined && { driver }),
          ...(name !== undefined && { group: name }),
          properties: new Map(
            [...properties].map(([key, values]) => [key, values.map(({ Value }) => String(Value))]),
          ),
        },
      ];
    }),
  );
}

function parsed(text: string): unknown {
  try {
    return parseJson(text.trim());
  } catch {
    return undefined;
  }
}

function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function textIn(object: JsonObject, key: string): string | undefined {
  const value = object[key];
  return typeof value === 'string' ? value : undefined;
}

/** Joins what two outputs tell of the same components. The first one's values come first. */
export function mergeComponents(...lists: readonly (readonly Component[])[]): ReadonlyMap<number, Component> {
  const merged = new Map<number, Component>();
  for (const one of lists.flat()) {
    const known = merged.get(one.id);
    const properties = new Map(one.properties);
    for (const [name, values] of known?.properties ?? [])
      properties.set(name, [...new Set([...values, ...(properties.get(name) ?? [])])]);
    merged.set(one.id, { ...one, ...known, properties });
  }
  return merged;
}
