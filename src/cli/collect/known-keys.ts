import { sdnFlags, sdnKeys } from '../../config/dialects/sdn.ts';
import { winOverlayKeys } from '../../config/dialects/win-bridge.ts';
import { knownKeys } from '../../config/generated/plugin-config-keys.ts';
import type { KnownKeys } from '../../config/known-keys.ts';
import { plainName } from './secret-names.ts';

/** Keys of other programs' files whose values are needed for a diagnosis and are not secret. */
const otherKeys = {
  cni: `bandwidth bridge burst capabilities cniVersion cniVersions code containerID containerPort dataDir delegate dns dst egressRate
    gw hairpinMode hostIP hostPort ingressRate interface interfaces ipMasq ips isDefaultGateway isGateway mac mode msg network networks
    plugins portMappings prevResult protocol range rangeEnd rangeStart ranges resolvConf routes runtimeConfig sandbox version`,
  flannel: `Backend cniConf DirectRouting EnableIPv4 EnableIPv6 GBP IPv6Network IPv6Subnet MTU Network Port subnetFile SubnetLen
    SubnetMax SubnetMin VNI`,
  calico: `assign_ipv4 assign_ipv6 backend datastore_type dns_suffix etcd_endpoints ipv4_pools ipv6_pools k8s_api_root kubeconfig
    kubernetes log_file_path log_level nodename nodename_file policy vxlan_mac_prefix vxlan_vni windows_loopback_dsr
    windows_disable_host_subnet_nat_exclusion windows_use_single_network`,
  clouds: `bridgeName clusterCIDR enableExactMatchForPodName enableLoopbackDSR enableSnatOnHost eniIPAddresses eniMACAddress eniName
    executionMode gatewayIPAddress hnsTimeoutDurationInSeconds ipsToRouteViaHost isolation logLevel logTarget multiTenancy
    serviceCIDR subnetPrefix vpcCIDRs windowsSettings logFileMaxAge logFileMaxBackups logFileMaxSize`,
  containerd: `accepts base_runtime_spec bin_dir bin_dirs ca_file cert_file cgroup cni cni_conf_dir cni_max_conf_num conf_dir conf_template
    config_path container_annotations debug DebugType default default_runtime_name deletion_threshold differ disable_cgroup
    disable_snapshot_annotations disable_tcp_service disabled_plugins discard_unpacked_layers drain_exec_sync_io_timeout enable_cdi
    enable_selinux enable_tls_streaming endpoint exec_sync_io_timeout format gid grpc_histogram image_pull_progress_timeout imports
    insecure_skip_verify ip_pref key_file level max_concurrent_downloads max_conf_num max_container_log_line_size max_recv_message_size
    max_send_message_size mutation_threshold no_pivot oom_score path pause_threshold platforms plugin_dir pod_annotations
    privileged_without_host_devices required_plugins returns root root_path runtime_engine runtime_path runtime_root runtime_type
    sandbox_image SandboxIsolation sandbox_mode SandboxPlatform sandboxer ScaleCPULimitsToSandbox schedule_delay server service
    setup_serially shim snapshotter startup_delay state stats_collect_period stream_idle_timeout stream_server_address
    stream_server_port tcp_address tcp_tls_ca tcp_tls_cert temp uid use_internal_loopback use_local_image_pull`,
} as const;

const known: ReadonlySet<string> = new Set(
  [
    ...namesIn(knownKeys),
    ...winOverlayKeys,
    ...sdnKeys,
    ...sdnFlags,
    ...Object.values(otherKeys).flatMap((names) => names.split(/\s+/)),
  ]
    .map(plainName)
    // In configurations of programs, it is a list of arguments, which may be secret.
    .filter((name) => name !== 'args'),
);

/** Whether the values of a key are known to be needed, and not secret. Ignores case, `-` and `_`. */
export function isKnownKey(name: string): boolean {
  return known.has(plainName(name));
}

/** Whether the values of a known key are paths. Ignores case, `-` and `_`. */
export function isPathKey(name: string): boolean {
  return /(?:path|dirs?|file|folder|kubeconfig)$/.test(plainName(name));
}

function namesIn({ keys = {}, types = {}, items }: KnownKeys): readonly string[] {
  const inside = [...Object.values(keys), ...Object.values(types), ...(items === undefined ? [] : [items])];
  return [...Object.keys(keys), ...inside.flatMap(namesIn)];
}
