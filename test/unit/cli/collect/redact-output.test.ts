// Command lines and settings: of what is in no known form, nothing is kept.

import { describe, expect, test } from 'vitest';
import { redactProcesses, redactSettings } from '../../../../src/cli/collect/redact-output.ts';

const omitted = (length: number) => `<omitted: text of ${length} characters>`;

describe('redactProcesses', () => {
  test.each([
    [
      'keeps the short flags of svchost.exe',
      'C:\\Windows\\system32\\svchost.exe -k NetSvcs -p -s hns',
      'C:\\Windows\\system32\\svchost.exe -k NetSvcs -p -s hns',
    ],
    [
      'replaces the values of such flags of other programs',
      'dockerd.exe -s hunter2 -k hunter2 --name CorrectHorse7',
      `dockerd.exe -s ${omitted(7)} -k ${omitted(7)} --name ${omitted(13)}`,
    ],
    [
      'replaces the values of such flags of a program whose argument is svchost.exe',
      'nssm.exe svchost.exe -k hunter2',
      `nssm.exe svchost.exe -k ${omitted(7)}`,
    ],
    [
      'replaces text that starts as a path does',
      'kubelet.exe --mystery \\hunter2 /CorrectHorse7 C:\\k\\a /var/log',
      `kubelet.exe --mystery ${omitted(8)} ${omitted(14)} C:\\k\\a /var/log`,
    ],
    [
      'keeps the values of known flags in the forms that they can have',
      'kubelet.exe --config=C:\\k\\config.yaml --root-dir D:\\k\\data --cluster-dns=10.96.0.10,fd00::a --port=10250 --resolv-conf="" --node-name=win-1 --feature-gates=DSR=true,A=false --mode=48151623',
      'kubelet.exe --config=C:\\k\\config.yaml --root-dir D:\\k\\data --cluster-dns=10.96.0.10,fd00::a --port=10250 --resolv-conf="" --node-name=win-1 --feature-gates=DSR=true,A=false --mode=48151623',
    ],
    [
      'replaces a word after a known flag of paths, addresses or numbers',
      'kubelet.exe --config=hunter2 --kubeconfig hunter3 --source-vip "hunter4" --port=hunter5,80',
      `kubelet.exe --config=${omitted(7)} --kubeconfig ${omitted(7)} --source-vip ${omitted(7)} --port=${omitted(10)}`,
    ],
    ['replaces a value after a quoted flag', 'a.exe "--token" "hunter2"', 'a.exe "--token" <redacted>'],
    [
      'replaces the other lines of a command line',
      'nssm.exe\n              run hunter2\n\n              --token hunter2\n\nName : hns',
      `nssm.exe\n              ${omitted(3)} ${omitted(7)}\n\n              --token <redacted>\n\nName : hns`,
    ],
  ])('%s', (_, line, expected) => {
    expect(redactProcesses(`CommandLine : ${line}\n`, () => undefined).text).toBe(
      `CommandLine : ${expected}\n`,
    );
  });
});

describe('redactSettings', () => {
  test('keeps names, and values of harmless forms, of the section of HNS', () => {
    const learned: string[] = [];
    const { text, count } = redactSettings(
      [
        'Caption : Microsoft Windows Server',
        '===== HNS settings',
        '',
        'MacPoolStart : 00-15-5D-01-00-00',
        'Proxy Server : hunter2',
        'Proxy Enabled (user) : 1',
        'Root : \\hunter2',
        'Long : 1',
        '       hunter2',
        '       more : 1',
        'Empty :',
        'API Token : hunter3',
        'Token :',
        'failed',
        '',
      ].join('\r\n'),
      (secret) => learned.push(secret),
    );
    expect({ lines: text.split('\r\n'), count, learned }).toEqual({
      lines: [
        'Caption : Microsoft Windows Server',
        '===== HNS settings',
        '',
        'MacPoolStart : 00-15-5D-01-00-00',
        `Proxy Server : ${omitted(7)}`,
        'Proxy Enabled (user) : 1',
        `Root : ${omitted(8)}`,
        'Long : 1',
        omitted(14),
        omitted(15),
        'Empty :',
        'API Token : <redacted>',
        'Token :',
        omitted(6),
        '',
      ],
      count: 6,
      learned: ['hunter3'],
    });
  });
});
