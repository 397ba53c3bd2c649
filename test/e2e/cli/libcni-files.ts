/** The file of libcni for an attached container of a pod, by its path below a folder. */
export function libcniFile(
  folder: string,
  { containerId, network = 'l2bridge' }: { readonly containerId: string; readonly network?: string },
  pod: string,
): Readonly<Record<string, string>> {
  const [namespace = '', name = ''] = pod.split('/');
  const slash = folder.includes('\\') ? '\\' : '/';
  const record = {
    kind: 'cniCacheV1',
    containerId,
    config: 'e30=',
    ifName: 'eth0',
    networkName: network,
    cniArgs: [
      ['IgnoreUnknown', '1'],
      ['K8S_POD_NAMESPACE', namespace],
      ['K8S_POD_NAME', name],
      ['K8S_POD_INFRA_CONTAINER_ID', containerId],
    ],
  };
  return { [`${folder}${slash}${network}-${containerId}-eth0`]: JSON.stringify(record) };
}
