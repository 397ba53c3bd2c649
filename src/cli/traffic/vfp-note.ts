/**
 * What an explanation cannot see, and where to look: the rules of the virtual switch, of which HCN tells nothing.
 * https://learn.microsoft.com/windows-server/networking/sdn/troubleshoot/troubleshoot-windows-server-software-defined-networking-stack
 */
export function vfpNote(macAddresses: readonly string[], layer?: string): string {
  const ports = macAddresses.length === 1 ? 'the port' : 'the ports';
  const only = layer === undefined ? '' : ` /layer ${layer}`;
  return (
    'This is what HNS was told. VFP, which does it, can have other rules: "vfpctrl /list-vmswitch-port" has ' +
    `${ports} with MAC address ${macAddresses.join(' or ')}, "vfpctrl /port PORT${only} /list-rule" its rules.`
  );
}
