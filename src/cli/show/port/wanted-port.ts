import { isPort } from '../../traffic/destination.ts';

const protocols = ['tcp', 'udp'] as const;
export type PortProtocol = (typeof protocols)[number];

/** A port of the node, for the given protocols. */
export interface WantedPort {
  readonly port: number;
  /** At least one. */
  readonly protocols: readonly PortProtocol[];
}

/** Reads `8080`, `8080/udp` or `tcp/8080`; undefined for any other text. Without a protocol, both are wanted. */
export function parseWantedPort(text: string): WantedPort | undefined {
  const parts = text.toLowerCase().split('/');
  const port = parts.find(isPort);
  const protocol = protocols.find((one) => parts.includes(one));
  if (port === undefined || parts.length !== (protocol === undefined ? 1 : 2)) return undefined;
  return { port: Number(port), protocols: protocol === undefined ? protocols : [protocol] };
}
