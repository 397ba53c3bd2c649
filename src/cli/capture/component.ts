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

/** Joins what two outputs tell of the same components. The first one's values come first. */
export function mergeComponents(...lists: readonly (readonly Component[])[]): ReadonlyMap<number, Component> {
  const merged = new Map<number, Component>();
  for (const one of lists.flat()) {
    const known = merged.get(one.id);
    merged.set(one.id, known === undefined ? one : join(known, one));
  }
  return merged;
}

function join(first: Component, second: Component): Component {
  const properties = new Map(second.properties);
  for (const [name, values] of first.properties)
    properties.set(name, [...new Set([...values, ...(properties.get(name) ?? [])])]);
  return { ...second, ...first, properties };
}
