import { expect, test } from 'vitest';
import { probeRow, refusal } from './run-probe.ts';

test.each(['hostAttach', 'earlyHostAttach', 'hostDefaultRoute'])('%s requires --adapter', async (row) => {
  expect(await probeRow(row, {}, [], { words: [] })).toMatchObject({
    verdict: 'not tried',
    reason: 'requires --adapter',
  });
});

test("hostAttach: retries for ten seconds if the node's namespace refuses", async () => {
  const fault = refusal('HcnModifyNamespace', 'ERROR_WRONG_DISK', 'every');
  expect(await probeRow('hostAttach', {}, [fault])).toMatchObject({
    verdict: 'does not hold',
    observed: 'refused',
    detail: Array(21).fill('ERROR_WRONG_DISK').join(', '),
    on: 'L2Bridge',
  });
});

test('earlyHostAttach is not tried if HNS does not refuse', async () => {
  expect(await probeRow('earlyHostAttach')).toMatchObject({
    verdict: 'not tried',
    reason: 'HNS attached the endpoint at once',
    on: 'L2Bridge',
  });
});

test("hostDefaultRoute: observes the interface's default route", async () => {
  expect(await probeRow('hostDefaultRoute')).toMatchObject({
    verdict: 'holds',
    observed: 'added',
    detail: expect.stringMatching(/^198\.19\.\d+\.1$/),
  });
});

test.each([
  ['absent', 'Ethernet\r\nvEthernet (nat)\r\n\r\n', undefined],
  ['absent', 'site-0001\r\nEthernet\r\n', undefined],
  ['listed', 'Ethernet\r\nEthernet-QoS Packet Scheduler-0000\r\n', 'Ethernet-QoS Packet Scheduler-0000'],
])('filterDrivers: observes %s', async (observed, stdout, detail) => {
  const environment = () => ({ powershell: () => ({ stdout }) });
  const finding = await probeRow('filterDrivers', {}, [], { environment });
  expect([finding?.observed, finding?.detail]).toEqual([observed, detail]);
});

test('filterDrivers is not tried without PowerShell', async () => {
  expect(await probeRow('filterDrivers')).toMatchObject({
    verdict: 'not tried',
    reason: 'cannot run PowerShell: ENOENT',
  });
});
