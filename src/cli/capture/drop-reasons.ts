import { excerpt } from './pktmon.ts';

/**
 * Microsoft's names of drop reasons, without `PktMonDrop_`, by their first number (enumeration PKTMON_DROP_REASON). Builds of Windows that
 * lack the text of a reason print its number.
 * https://learn.microsoft.com/windows/win32/pktmon/packetmonitor/nf-packetmonitor-packetmonitorcreaterealtimestream
 */
const namesFrom: Readonly<Record<number, string>> = {
  0: 'Unknown InvalidData InvalidPacket Resources NotReady Disconnected NotAccepted Busy Filtered FilteredVLAN UnauthorizedVLAN UnauthorizedMAC FailedSecurityPolicy FailedPvlanSetting Qos Ipsec MacSpoofing DhcpGuard RouterGuard BridgeReserved VirtualSubnetId RequiredExtensionMissing InvalidConfig MTUMismatch NativeFwdingReq InvalidVlanFormat InvalidDestMac InvalidSourceMac InvalidFirstNBTooSmall Wnv StormLimit InjectedIcmp FailedDestinationListUpdate NicDisabled FailedPacketFilter SwitchDataFlowDisabled FilteredIsolationUntagged InvalidPDQueue LowPower',
  201: 'Pause Reset SendAborted ProtocolNotBound',
  401: 'MicroportError VfNotReady MicroportNotReady VMBusError',
  601: 'FL_LoopbackPacket FL_InvalidSnapHeader FL_InvalidEthernetType FL_InvalidPacketLength FL_HeaderNotContiguous FL_InvalidDestinationType FL_InterfaceNotReady FL_ProviderNotReady FL_InvalidLsoInfo FL_InvalidUsoInfo FL_InvalidMedium FL_InvalidArpHeader FL_NoClientInterface',
  701: 'ArpGuard ArpLimiter DhcpLimiter BlockBroadcast BlockNonIp ArpFilter Ipv4Guard Ipv6Guard MacGuard BroadcastNoDestinations UnicastNoDestination UnicastPortNotReady SwitchCallbackFailed Icmpv6Limiter Intercept InterceptBlock NDPGuard PortBlocked NicSuspended',
  901: 'NL_BadSourceAddress NL_NotLocallyDestined NL_ProtocolUnreachable NL_PortUnreachable NL_BadLength NL_MalformedHeader NL_NoRoute NL_BeyondScope NL_InspectionDrop NL_TooManyDecapsulations NL_AdministrativelyProhibited NL_BadChecksum NL_ReceivePathMax NL_HopLimitExceeded NL_AddressUnreachable NL_RscPacket NL_ForwardPathMax NL_ArbitrationUnhandled NL_InspectionAbsorb NL_DontFragmentMtuExceeded NL_BufferLengthExceeded NL_AddressResolutionTimeout NL_AddressResolutionFailure',
};

const names = new Map(
  Object.entries(namesFrom).flatMap(([first, words]) =>
    words.split(' ').map((name, index) => [Number(first) + index, name] as const),
  ),
);

/** A drop reason as pktmon printed it; with Microsoft's name if it is a number. */
export function dropReasonText(reason: string): string {
  const name = /^\d+$/.test(reason) ? names.get(Number(reason)) : undefined;
  return name === undefined ? excerpt(reason) : `${name} (${reason})`;
}
