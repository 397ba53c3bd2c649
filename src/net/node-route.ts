/**
 * A route of the node: a row of Windows' route table. HCN's policy HostRoute is something else.
 * https://learn.microsoft.com/windows/win32/api/netioapi/ns-netioapi-mib_ipforward_row2
 */
export interface NodeRoute {
  readonly interfaceIndex: number;
  /** The destination, in canonical text without host bits. */
  readonly prefix: string;
  /** In canonical text; 0.0.0.0 or :: if the destination is on-link. */
  readonly nextHop: string;
  /** Windows adds the metric of the interface. */
  readonly metric: number;
  /** One of NL_ROUTE_PROTOCOL. */
  readonly protocol: number;
}

/** NL_ROUTE_PROTOCOL's RouteProtocolNetMgmt: a static route. */
const staticProtocol = 3;

/**
 * The mark of win-hcn's routes. Windows' routes have no tag, and every static route has the same protocol. `route add` takes metrics up
 * to 9999, and New-NetRoute's default is 256: of two routes to a prefix, the other one wins.
 */
const ourMetric = 4242;

/** Whether win-hcn created a route. */
export function isOurRoute({ metric, protocol }: NodeRoute): boolean {
  return metric === ourMetric && protocol === staticProtocol;
}

/** The index, in a preview, of an interface that Windows has not created yet. */
export const newInterface = 0;

/** `route to 10.244.2.0/24 through 10.0.0.5 on interface 7` */
export function describeNodeRoute({ prefix, nextHop, interfaceIndex }: NodeRoute): string {
  const where = interfaceIndex === newInterface ? 'the new interface' : `interface ${interfaceIndex}`;
  return `route to ${prefix} through ${nextHop} on ${where}`;
}

/** The route that win-hcn creates to a prefix. */
export function newNodeRoute(interfaceIndex: number, prefix: string, nextHop: string): NodeRoute {
  return { interfaceIndex, prefix, nextHop, metric: ourMetric, protocol: staticProtocol };
}
