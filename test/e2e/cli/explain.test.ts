import { describe, expect, test } from 'vitest';
import { ipHelperRemedy } from '../../../src/iphlpapi/windows-errors.ts';
import { failure, problem, runCli, success } from './run-cli.ts';

const addressInUse = [
  'HCN_E_ADDR_INVALID_OR_RESERVED  HRESULT 0x803b002f',
  '  message  An address provided is invalid or reserved',
  '  cause    The gateway, a leftover or a remote endpoint of kube-proxy has the address, or the subnet is full.',
  '  fix      Find the owner: win-hcn show ip ADDRESS. Delete leftovers: win-hcn gc --yes, and --other-plugins for those of other plugins. If pods use all addresses, use a larger subnet.',
];
const elevation = [
  'ERROR_ACCESS_DENIED  Windows code 5',
  '  cause  Only SYSTEM and elevated administrators may do that.',
  `  fix    ${ipHelperRemedy}`,
];
const denied = [
  'E_ACCESSDENIED  HRESULT 0x80070005',
  '  message  Access is denied',
  '  cause    The runtime or the shell is not elevated.',
  '  fix      Run as SYSTEM or as an elevated administrator.',
];

describe('explain', () => {
  test('names the states of an endpoint as ls does, and what they mean', async () => {
    const words = [0, 1, 2, 3, 4, 5, 6].map((state) => `${state === 3 ? 'state' : 'State'} ${state}`);
    const { exitCode, stdout } = await runCli(['explain', ...words, '-o', 'json']);
    const codes: readonly { readonly name: string; readonly message: string }[] = JSON.parse(stdout).codes;
    expect({ exitCode, states: codes.map(({ name, message }) => `${name}: ${message}`) }).toEqual({
      exitCode: 0,
      states: [
        'unknown: HNS has not finished the creation of the endpoint.',
        'Created: The endpoint exists, and is not attached yet.',
        'Attached: The endpoint is attached to one container or virtual machine.',
        'AttachedSharing: The endpoint is attached to a namespace that containers share. This is the usual state of a pod.',
        'Detached: The endpoint was attached, and no longer is.',
        'Degraded: HNS could not apply the endpoint in full.',
        'Destroyed: HNS has deleted the endpoint, or is deleting it.',
      ],
    });
  });

  test('finds each code in a pasted text once, in order', async () => {
    const text =
      'Warning  FailedCreatePodSandBox  plugin type="win-hcn" failed (add): creating endpoint: ' +
      'HCN returned HCN_E_ADDR_INVALID_OR_RESERVED (0x803b002f): An address provided is invalid or reserved; ' +
      '{"Success":false,"ErrorCode":2151350319} pid 1234567890 at 0x7ff; access denied (0x5)';
    expect(await runCli(['explain', ...text.split(' ')])).toEqual(
      success(...addressInUse, '', ...elevation, '', ...denied),
    );
  });

  test('says that keys of win-hcn are not for the plugin that failed', async () => {
    const text = 'plugin type="flannel" failed (add): 0x803b002f';
    expect(await runCli(['explain', text])).toEqual({
      ...success(...addressInUse),
      stderr: 'win-hcn: this is an error of plugin flannel, whose keys may differ\n',
    });
  });

  test('reads the text from stdin', async () => {
    expect(await runCli(['explain', '-'], { stdin: 'failed: 0x803b002f\r\n' })).toEqual(
      success(...addressInUse),
    );
  });

  test('has a bold title and wraps at the width of the terminal', async () => {
    const printed = [
      '\u001b[1mCNI code 101\u001b[22m',
      '  message  the container already has this interface',
      '  fix      It was not changed. To recreate it,',
      '           delete the pod.',
    ];
    expect(await runCli(['explain', '101'], { width: 52 })).toEqual(success(...printed));
  });
});

describe('explain exits with 1 and names the next step', () => {
  test.each([
    [
      '0x800704cf',
      'HRESULT 0x800704cf: unknown',
      '  fix  Read the Host Network Service log: Get-WinEvent -LogName Microsoft-Windows-Host-Network-Service-Admin -MaxEvents 20. Look it up: net helpmsg 1231.',
    ],
    ['0x4cf', 'Windows code 1231: unknown', '  fix  Look it up: net helpmsg 1231.'],
    [
      '77',
      'CNI code 77: unknown',
      '  fix  win-hcn does not use it: the IPAM plugin or another plugin in the list does. See the documentation of that plugin.',
    ],
  ])('for the unknown code %s', async (code, ...lines) => {
    expect(await runCli(['explain', code])).toEqual(problem(...lines));
  });

  test('for a text without a code', async () => {
    const text = 'the pod is sad and 1700000000 seconds old, at 10.244.1.2:6443';
    expect(await runCli(['explain', text])).toEqual(
      failure(
        1,
        'win-hcn: the text has no error code. Enter an HRESULT in hex (0x803b002f) or decimal (2151350319), a symbol ' +
          '(HCN_E_INVALID_IP), the code of a CNI error (11), the state of an endpoint (State 3) or a whole error message. For all else, run win-hcn doctor.',
      ),
    );
  });
});
