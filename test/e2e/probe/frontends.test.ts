import { expect, test } from 'vitest';
import { probeReport } from './run-probe.ts';

test('no two rows of a probe use the same frontend of a load balancer', async () => {
  const { rows } = await probeReport({});
  const frontends = rows.flatMap(({ calls = [] }) => {
    const documents = calls.filter((call) => call.function === 'HcnCreateLoadBalancer');
    return [...new Set(documents.map(({ sent }) => frontendOf(sent as Document)))];
  });
  expect(frontends.length).toBeGreaterThan(10);
  expect(new Set(frontends).size).toBe(frontends.length);
});

interface Document {
  readonly FrontendVIPs: readonly string[];
  readonly PortMappings: readonly { readonly ExternalPort: number }[];
}

function frontendOf({ FrontendVIPs, PortMappings }: Document): string {
  return `${FrontendVIPs}:${PortMappings.map(({ ExternalPort }) => ExternalPort)}`;
}
