// Finding 3: of files that are not win-hcn's, only what is known to be harmless is kept.

import { describe, expect, test } from 'vitest';
import { redactForeign } from '../../../../src/cli/collect/redact-foreign.ts';

const json = (text: string, isOurs?: (pointer: string) => boolean) => redactForeign(text, 'JSON', isOurs);

describe('redactForeign', () => {
  test('keeps the settings of containerd that are harmless, and replaces secrets and comments', () => {
    const toml = [
      'version = 2\r',
      'root = "C:\\\\ProgramData\\\\containerd\\\\root" # password = "old"',
      '#',
      '[plugins."io.containerd.grpc.v1.cri".registry.configs."reg.example:5000".auth]',
      '  username = "me"',
      '  password = """a',
      'b"""',
      '[plugins."io.containerd.grpc.v1.cri".registry.configs."reg.example".tls]',
      '  key_file = "C:\\\\k\\\\reg.key"',
      '  x = 4711',
      '  y = true',
      '[plugins."io.containerd.grpc.v1.cri".registry]',
      '  mirrors = { "reg.example" = { endpoint = ["https://me:pw@mirror.example", "https://mirror.example:5000"] } }',
      '  configs."reg.example".auth.identitytoken = \'abc\'',
      '  configs."other.example" = { auth = { username = "me", password = "x" }, tls = {} }',
      '[plugins.cri.registry.auths."https://old1.example"]',
      '  username = "me"',
      '[plugins."io.containerd.grpc.v1.cri".registry.headers]',
      '  X-Meta-Source = ["one",',
      '    "two"]',
      '[[plugins."io.containerd.grpc.v1.cri".cni]]',
      '  conf_dir = "C:\\\\etc\\\\cni\\\\net.d"',
      '  max_conf_num = 1',
      '',
    ];
    expect(redactForeign(toml.join('\n'), 'TOML')).toEqual({
      text: [
        'version = 2\r',
        'root = "C:\\\\ProgramData\\\\containerd\\\\root" # <omitted: text of 17 characters>',
        '#',
        '[plugins."io.containerd.grpc.v1.cri".registry.configs."reg.example:5000".auth]',
        '  username = "<redacted>"',
        '  password = """<redacted>"""',
        '[plugins."io.containerd.grpc.v1.cri".registry.configs."reg.example".tls]',
        '  key_file = "C:\\\\k\\\\reg.key"',
        '  x = "<omitted: number of 4 characters>"',
        '  y = true',
        '[plugins."io.containerd.grpc.v1.cri".registry]',
        '  mirrors = { "reg.example" = { endpoint = ["https://<redacted>@mirror.example", "https://mirror.example:5000"] } }',
        '  configs."reg.example".auth.identitytoken = \'<redacted>\'',
        '  configs."other.example" = { auth = { username = "<redacted>", password = "<redacted>" }, tls = {} }',
        '[plugins.cri.registry.auths."<omitted: URL of 20 characters>"]',
        '  username = "<redacted>"',
        '[plugins."io.containerd.grpc.v1.cri".registry.headers]',
        '  X-Meta-Source = ["<redacted>",',
        '    "<redacted>"]',
        '[[plugins."io.containerd.grpc.v1.cri".cni]]',
        '  conf_dir = "C:\\\\etc\\\\cni\\\\net.d"',
        '  max_conf_num = 1',
        '',
      ].join('\n'),
      count: 12,
    });
  });

  test.each([
    [
      'an address under any name',
      '{"x":"10.0.0.1","y":["fd00::/64","00-15-5D-01-02-03"],"z":"[fd00::1]:80"}',
    ],
    ['booleans, null and empty strings', '{"password":true,"token":null,"x":""}'],
    ['numbers under known names', '{"mtu":1450,"vsid":1234567890,"mode":"48151623"}'],
    [
      'names and versions under known names',
      '{"type":"azure-vnet-ipam","cniVersion":"1.0.0","name":"a b (2)"}',
    ],
    [
      'paths under known names',
      '{"logFile":"C:\\\\a\\\\b c.log","kubeconfig":"/etc/cni/net.d/calico-kubeconfig"}',
    ],
    ['URLs under known names', '{"etcd_endpoints":"https://10.0.0.1:2379,https://[fd00::1]:2379/v2"}'],
    ['GUIDs under known names', '{"name":"{259f4964-2dff-5b46-92f1-633319a59298}"}'],
    ['the names of members', '{"my-key_1":{"io.containerd.runhcs.v1":{"$x":{"é":{}}}}}'],
    ['the form of the text', '{ "type" :\t"x" ,\r\n"mtu":1 }\n'],
  ])('keeps %s', (_, text) => {
    expect(json(text)).toEqual({ text, count: 0 });
  });

  test.each([
    ['text under an unknown name', '{"x":"hunter2"}', '{"x":"<omitted: text of 7 characters>"}'],
    [
      'text with an escaped end of a line',
      '{"name":"\\nhunter2"}',
      '{"name":"<omitted: text of 9 characters>"}',
    ],
    ['one character', '{"x":"a"}', '{"x":"<omitted: text of 1 character>"}'],
    [
      'a secret after its flag in a list',
      '{"args":["--password","hunter2","--token","--v=2"],"mtu":1}',
      '{"args":["<omitted: text of 10 characters>","<redacted>","<omitted: text of 7 characters>","<omitted: text of 5 characters>"],"mtu":1}',
    ],
    [
      'a secret after its name in a list with a known name',
      '{"capabilities":["PASSWORD","hunter2","a"],"endpoint":["secret"],"root":["a"]}',
      '{"capabilities":["PASSWORD","<redacted>","a"],"endpoint":["secret"],"root":["a"]}',
    ],
    [
      'the arguments and variables of programs',
      '{"args":["-p","hunter2"],"environment":["USER","hunter2"]}',
      '{"args":["<omitted: text of 2 characters>","<omitted: text of 7 characters>"],"environment":["<omitted: text of 4 characters>","<omitted: text of 7 characters>"]}',
    ],
    ['a number under an unknown name', '{"x":1234}', '{"x":"<omitted: number of 4 characters>"}'],
    [
      'a GUID under an unknown name',
      '{"x":"259f4964-2dff-5b46-92f1-633319a59298"}',
      '{"x":"<omitted: text of 36 characters>"}',
    ],
    [
      'a URL with a path under an unknown name',
      '{"x":"https://a/b"}',
      '{"x":"<omitted: URL of 11 characters>"}',
    ],
    ['JSON in a string', '{"x":"{\\"a\\":1}"}', '{"x":"<omitted: JSON of 9 characters>"}'],
    ['a secret under its name', '{"password":"x","n":{}}', '{"password":"<redacted>","n":{}}'],
    ['numbers under the name of a secret', '{"pin":1}', '{"pin":"<redacted>"}'],
    [
      'keys in a list',
      '{"keys":["a",["b"],{"mtu":1}]}',
      '{"keys":["<redacted>",["<redacted>"],{"mtu":"<redacted>"}]}',
    ],
    [
      'names in secret objects',
      '{"tokens":{"hunter2":{},"user":{}}}',
      '{"tokens":{"<omitted: text of 7 characters>":{},"user":{}}}',
    ],
    [
      'what looks random under a known name',
      '{"name":"a1b2c3d4e5f6a7b8"}',
      '{"name":"<omitted: text of 16 characters>"}',
    ],
    ['a secret in a known value', '{"name":"https://me:pw@a"}', '{"name":"https://<redacted>@a"}'],
    ['other forms under a known name', '{"name":"a=b;c"}', '{"name":"<omitted: text of 5 characters>"}'],
    [
      'words under known names of paths',
      '{"kubeconfig":"hunter2","log_file_path":"a b","bin_dirs":["C:\\\\bin","hunter2"]}',
      '{"kubeconfig":"<omitted: text of 7 characters>","log_file_path":"<omitted: text of 3 characters>","bin_dirs":["C:\\\\bin","<omitted: text of 7 characters>"]}',
    ],
    ['a long value', `{"name":"${'a '.repeat(40)}b"}`, '{"name":"<omitted: text of 81 characters>"}'],
    ['the name after a list', '{"mtu":[1],"x":2}', '{"mtu":[1],"x":"<omitted: number of 1 character>"}'],
    ['a value without a name', '{"mtu":1 2}', '{"mtu":1 "<omitted: number of 1 character>"}'],
    ['a string without an end', '{"x":"hunter2\n}', '{"x":"<omitted: text of 7 characters>\n}'],
    ['more ends than starts', '}]{"x":"a"}', '}]{"x":"<omitted: text of 1 character>"}'],
    ['YAML', 'token: a b\nname: c', 'token: "<redacted>" "<omitted: text of 1 character>"\nname: c'],
  ])('replaces %s', (_, text, expected) => {
    expect(json(text).text).toBe(expected);
  });

  test('replaces a secret after its flag in a list of TOML, and in configurations of win-hcn', () => {
    const toml = '[stream_processors.x]\n  args = ["--password",\n    "hunter2"]\n';
    expect(redactForeign(toml, 'TOML').text).toBe(
      '[stream_processors.x]\n  args = ["<omitted: text of 10 characters>",\n    "<redacted>"]\n',
    );
    const own = '{"dns":{"options":["--password","hunter2"]}}';
    expect(json(own, () => true).text).toBe('{"dns":{"options":["--password","<redacted>"]}}');
  });

  test('keeps known values of any form in configurations of win-hcn, except for secrets', () => {
    const text = JSON.stringify({
      plugins: [
        { type: 'x', adapter: 'a;b' },
        {
          type: 'win-hcn',
          adapter: 'a;b',
          args: { x: 'c' },
          policies: [{ Key: 'd' }],
          dns: { search: ['e=f', 'u:p@h'] },
        },
        [{ adapter: 'a;b' }],
      ],
    });
    const { text: clean, count } = json(text, (pointer) => /^\/plugins\/1(\/|$)/.test(pointer));
    expect(JSON.parse(clean)).toEqual({
      plugins: [
        { type: 'x', adapter: '<omitted: text of 3 characters>' },
        {
          type: 'win-hcn',
          adapter: 'a;b',
          args: { x: '<omitted: text of 1 character>' },
          policies: [{ Key: '<redacted>' }],
          dns: { search: ['e=f', '<redacted>@h'] },
        },
        [{ adapter: '<omitted: text of 3 characters>' }],
      ],
    });
    expect(count).toBe(5);
  });

  test('reports secrets and what looks random, and no other values', () => {
    const learned: string[] = [];
    const text =
      '{"password":"hunter2","x":"other","y":"a1b2c3d4e5f6a7b8","name":"http://me:pw@a","args":["--token","hunter3"]}';
    redactForeign(text, 'JSON', undefined, (secret) => learned.push(secret));
    expect(learned).toEqual(['hunter2', 'a1b2c3d4e5f6a7b8', 'me:pw', 'hunter3']);
  });

  test('is fast for long text without ends', () => {
    const texts = [
      '"'.repeat(200_000),
      '{"a":'.repeat(40_000),
      '['.repeat(40_000),
      `a = '''${"'".repeat(199_999)}`,
    ];
    for (const text of texts) expect(redactForeign(text, 'TOML').text.length).toBeGreaterThan(0);
  });
});
