/**
 * Output of pktmon.exe as published, in the forms that the parsers read. It was not recorded by us, and win-hcn has not run pktmon on
 * Windows. Sources by number; docs/notes/capture.md has what they show:
 *
 * 1. https://github.com/rlwilliamson-dev/azure-resume, folder blog: a session on Windows Server 2025, build 26100
 * 2. https://github.com/microsoft/Windows-Containers/issues/439: a log of Windows Server 2022, build 20348, of a node with L2Bridge
 * 3. https://learn.microsoft.com/troubleshoot/windows-client/networking/tcp-ip-packet-loss-troubleshooting: `etl2txt` with a drop
 * 4. notes "Packet Capture Using pktmon" on GitHub, no address known: `start` beside Microsoft Defender for Endpoint, `list`, access denied
 * 5. programs and notes on GitHub that quote translated output: Korean, Chinese, Portuguese
 */

/** Source 4. */
export const accessDenied = 'Failed to communicate with the PktMon driver. Access is denied.\r\n';

/** Sources 1, 4. */
export const running = `
Logger Parameters:
    Logger name:        PktMon
    Logging mode:       Circular
    Log file:           C:\\WINDOWS\\system32\\PktMon.etl
    Max file size:      512 MB
    Memory used:        256 MB

Packet Filters:
    None
`;

export const notRunning = 'Packet Monitor is not running.\r\n';
/** Source 5. */
export const notRunningTranslated = [
  '数据包监视器没有运行。\r\n',
  'O Monitor de Pacotes não está em execução.\r\n',
];

export const noFilters = '\r\nPacket Filters:\r\n    None\r\n';
/** Source 5. */
export const noFiltersKorean = '패킷 필터:\r\n    없음\r\n\r\n';

/** Source 1. */
export const oneFilter = `Packet Filters:
     # Name       Protocol Port
     - ----       -------- ----
     1 WebTraffic TCP       443
`;

/** Source 4. */
export const defenderFilters = `Packet Filters:
     # Name     MAC Address       EtherType Protocol
     - ----     -----------       --------- --------
     1 SenseNdr                             UDP
     2 SenseNdr 01-00-0C-CC-CC-CC
     3 SenseNdr                   ARP
    13 SenseNdr                             FC
`;

/** Source 2: parts of the log. The lines about sent and dropped packets, and the cut addresses, follow sources 1 and 3. */
export const serverLog = `[00]0394.2410::2024-04-02 10:26:38.547829100 [MSNT_SystemTrace] Event: Header, BufferSize: 16777216, Version: 131082, ProviderVersion: 20348, NumberOfProcessors: 4
[01]36E0.37B0::2024-04-02 10:26:54.059070900 [Microsoft-Windows-PktMon] PktGroupId 281474976710694, PktNumber 1, Appearance 1, Direction Tx , Type Ethernet , Component 57, Edge 1, Filter 1, OriginalSize 74, LoggedSize 74 
\t00-15-5D-3A-AA-31 > 00-15-5D-C9-80-01, ethertype IPv4 (0x0800), length 74: 172.26.45.95 > 10.244.0.1: ICMP echo request, id 1, seq 1, length 40
[00]425C.34D8::2024-04-02 10:27:05.458537200 [Microsoft-Windows-PktMon] Component 135, Type VmsMiniport , Name vmswitch.sys, cbr0_pod 
[00]425C.34D8::2024-04-02 10:27:05.458537400 [Microsoft-Windows-PktMon] Property: Component 135, VmsExtIfIndex  = 16 
[00]425C.34D8::2024-04-02 10:27:05.458537600 [Microsoft-Windows-PktMon] Property: Component 135, VMSwitchName  = cd9e5448073a587f400da92998ec9b352227cd54e3dc80fb9bb7d6bcbe7305a5 
[00]425C.34D8::2024-04-02 10:27:05.458538000 [Microsoft-Windows-PktMon] Property: Component 135, PhysAddress  = 0x00155D3AAA31 
[00]425C.34D8::2024-04-02 10:27:05.458538200 [Microsoft-Windows-PktMon] Property: Component 135, IfIndex  = 26 
[00]425C.34D8::2024-04-02 10:27:05.458538500 [Microsoft-Windows-PktMon] Drop Counters: Component 135, Direction In = Egress , Packets In 0, Bytes In 0, Direction Out = Ingress , Packets Out 0, Bytes Out 0 
[00]425C.34D8::2024-04-02 10:27:05.458630800 [Microsoft-Windows-PktMon] Property: Component 78, NdisObject  = 1 
[00]425C.34D8::2024-04-02 10:27:05.458631600 [Microsoft-Windows-PktMon] Flow Counters: Component 78, Edge Lower, Edge Id 1, Direction In = Rx , Packets In 0, Bytes In 0, Direction Out = Tx , Packets Out 0, Bytes Out 0 
[00]425C.34D8::2024-04-02 10:27:05.458584800 [Microsoft-Windows-PktMon] Component 106, Type 11, Name tcpip.sys, TCP/IPv4 - L3/L4 
[00]425C.34D8::2024-04-02 10:27:05.458585700 [Microsoft-Windows-PktMon] Property: Component 106, IP Address  = 172.26.45.95 
[00]425C.34D8::2024-04-02 10:27:05.458585900 [Microsoft-Windows-PktMon] Property: Component 106, Compartment ID  = 4 
`;

/** Source 3. */
export const droppedPacket = `[30]0000.0000::2025-03-27 16:10:34.934020500 [Microsoft-Windows-PktMon] Drop: PktGroupId 8444249301423149, PktNumber 1, Appearance 0, Direction Rx , Type IP , Component 49, Filter 1, DropReason INET: transport endpoint was not found , DropLocation 0xE000460A, OriginalSize 402, LoggedSize 148
       Drop: ip: 192.168.5.88.50005 > 192.168.5.68.50005: UDP, length 374
`;

/** Source 5: a build without the text of the reason, and a line break less than published. */
export const droppedArp = `[00]0000.0000::2025-03-27 16:10:34.934020500 [Microsoft-Windows-PktMon] Drop: PktGroupId 10696049115005232, PktNumber 1, Appearance 1, Direction Rx , Type Ethernet , Component 2, Filter 0, DropReason 228, DropLocation 0xE000100F, OriginalSize 56, LoggedSize 56
\tDrop: AA-BB-CC-DD-E1-07 > FF-FF-FF-FF-FF-FF, ethertype ARP (0x0806), length 56: Request who-has 10.71.1.69 tell 10.71.1.125, length 42
`;

/** Source 5. */
export const koreanPacket =
  '[00]49DC.4A38::2026-08-17 15:52:24.345685300 [Microsoft-Windows-PktMon] PktGroupId 556, PktNumber 1, 모양 0, 방향 Tx , 유형 Ethernet , 구성 요소 80, 에지 1, 필터 1, OriginalSize 66, LoggedSize 66 \r\n' +
  '\t00-00-5E-00-53-01 > 00-00-5E-00-53-02, ethertype IPv4 (0x0800), length 66: 192.0.2.10.65375 > 192.0.2.1.443: Flags [S], seq 1612461100, win 65535, length 0\r\n';
