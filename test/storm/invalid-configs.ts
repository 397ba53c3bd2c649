type Config = Readonly<Record<string, unknown>>;

/** Changes that make any configuration invalid. */
export const invalidConfigs: readonly ((config: Config) => Config)[] = [
  (config) => ({ ...config, cniVersion: '9.9.9' }),
  (config) => ({ ...config, cniVersion: 5 }),
  ({ name: _, ...config }) => config,
  (config) => ({ ...config, name: '../other' }),
  (config) => ({ ...config, name: ['list'] }),
  (config) => ({ ...config, ipam: 'host-local' }),
  (config) => ({ ...config, ipam: { type: 5 } }),
  (config) => ({ ...config, dns: { nameservers: 'none' } }),
  (config) => ({ ...config, runtimeConfig: { portMappings: [{ hostPort: 70000, containerPort: 'x' }] } }),
  (config) => ({ ...config, prevResult: { cniVersion: '1.0.0', ips: [{ address: 'nowhere' }] } }),
];
