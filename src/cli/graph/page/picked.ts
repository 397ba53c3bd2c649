const kinds = ['network', 'endpoint', 'namespace', 'load balancer'] as const;
type Kind = (typeof kinds)[number];

/** One thing on the page. */
export interface Picked {
  readonly kind: Kind;
  readonly id: string;
}

/** Its text in an attribute. */
export function keyOf({ kind, id }: Picked): string {
  return `${kind} ${id}`;
}

/** What such a text stands for. */
export function pickedOf(key: string): Picked | undefined {
  const kind = kinds.find((one) => key.startsWith(`${one} `));
  return kind && { kind, id: key.slice(kind.length + 1) };
}
