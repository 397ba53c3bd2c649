import { describe, expect, test } from 'vitest';
import { redact, redactToml } from '../../../../src/cli/collect/redact.ts';

const pem = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADAN\n-----END PRIVATE KEY-----';
const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJub2RlIn0.c2lnbmF0dXJl';
const base64 = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC';
const cut = ['-----BEGIN RSA PRIVATE KEY-----', base64, base64, 'MIIE'];
const k3s = `K10${'0123456789abcdef'.repeat(4)}::server:hunter2`;
const log = JSON.stringify({ document: JSON.stringify({ Name: 'a', Key: 'p"ss' }), code: 100 });
const logOfLog = JSON.stringify({ line: log });

describe('redact', () => {
  test.each([
    ["a preshared key of HCN's", '{"Key":"hunter2","Name":"a"}', '{"Key":"<redacted>","Name":"a"}'],
    ['a member in any case', '{ "preShared_KEY" : "x" }', '{ "preShared_KEY" : "<redacted>" }'],
    ['a string with quotes in it', '{"token":"a\\"b\\\\","n":1}', '{"token":"<redacted>","n":1}'],
    ['a key of any kind', '{"etcd_key":"x","public_key":"y"}', '{"etcd_key":"<redacted>","public_key":"y"}'],
    ['what ends with pass', '{"smtp_pass":"x","bypass":"y"}', '{"smtp_pass":"<redacted>","bypass":"y"}'],
    ['a number', '{"password":1234}', '{"password":"<redacted>"}'],
    ['an object', '{"auth":{"user":"me","a":["]"]},"n":1}', '{"auth":"<redacted>","n":1}'],
    ['a list', '{"tokens":["a","b"]}', '{"tokens":"<redacted>"}'],
    ['an object without an end', '{"auth":{"user":"me",\n"n":1', '{"auth":"<redacted>"\n"n":1'],
    ['a string without an end', '{"Key":"hunt\n}', '{"Key":"<redacted>"\n}'],
    ['JSON within JSON', log, log.replace('p\\\\\\"ss', '<redacted>')],
    ['JSON within JSON within JSON', logOfLog, logOfLog.replace('p\\\\\\\\\\\\\\"ss', '<redacted>')],
    [
      'a setting in a line of text',
      'failed: password=x)y, retrying',
      'failed: password=<redacted>, retrying',
    ],
    ['a quoted one', "pwd = 'a b' user=me", "pwd = '<redacted>' user=me"],
    ['a variable', 'AWS_SECRET_ACCESS_KEY=abc/def', 'AWS_SECRET_ACCESS_KEY=<redacted>'],
    ['a line of a list', 'ApiKey       : abc', 'ApiKey       : <redacted>'],
    [
      'a flag with =',
      'kubelet.exe --bootstrap-token=a.b --v=2',
      'kubelet.exe --bootstrap-token=<redacted> --v=2',
    ],
    [
      'a flag with a space',
      'kubelet.exe --bootstrap-token a.b --v=2',
      'kubelet.exe --bootstrap-token <redacted> --v=2',
    ],
    ['a flag in a list', '"args": ["--token", "a.b"]', '"args": ["--token", "<redacted>"]'],
    ['a header', 'Authorization: Basic dXNlcjpw', 'Authorization: <redacted>'],
    ['a bearer token', 'sent Bearer abcdefghijklmnop.q', 'sent Bearer <redacted>'],
    ['a JSON web token', `got ${jwt} from`, 'got <redacted> from'],
    ['the user of a URL', 'http://me:p@ss@proxy:3128/x', 'http://<redacted>@proxy:3128/x'],
    ['a PEM block', `before\n${pem}\nafter`, 'before\n<redacted>\nafter'],
    ['a PEM block in JSON', JSON.stringify({ a: pem }), '{"a":"<redacted>"}'],
    [
      'a PEM block without an end',
      `failed: ${cut.join('\n')}\n.`,
      'failed: -----BEGIN RSA PRIVATE KEY-----<redacted>\n.',
    ],
    [
      'the same in JSON',
      JSON.stringify({ a: cut.join('\n') }),
      '{"a":"-----BEGIN RSA PRIVATE KEY-----<redacted>"}',
    ],
    ['a token of k3s', `k3s.exe agent -t ${k3s} -v 2`, 'k3s.exe agent -t <redacted> -v 2'],
    [
      'a flag whose value has spaces',
      'k.exe --password "my hunter2" --v=2',
      'k.exe --password "<redacted>" --v=2',
    ],
    [
      'the same in JSON',
      '{"line":"k.exe --password \\"my hunter2\\" --v=2"}',
      '{"line":"k.exe --password \\"<redacted>\\" --v=2"}',
    ],
    [
      'a flag with quotes',
      '"C:\\k.exe" "--token" "hunter2" "--v=2"',
      '"C:\\k.exe" "--token" "<redacted>" "--v=2"',
    ],
    [
      'what has a comma in it',
      'failed: password=hun,ter2, retrying',
      'failed: password=<redacted>, retrying',
    ],
    ['what has an apostrophe in it', "with password=hun'ter2 to", 'with password=<redacted> to'],
    [
      'a part of a connection string',
      'Server=a;Pwd=hun;ter2;Encrypt=true',
      'Server=a;Pwd=<redacted>;Encrypt=true',
    ],
    ['a line that is all of it', 'Passphrase : correct horse\nName : a', 'Passphrase : <redacted>\nName : a'],
    ['the lines of a text in YAML', 'password: |\n  hun\n  ter2\nname: a', 'password: <redacted>\nname: a'],
    ['the lines of a list in YAML', 'a:\n  tokens:\n  - x\n  - y\n  b: c', 'a:\n  tokens:<redacted>\n  b: c'],
    [
      'a variable in YAML',
      '- name: DB_PASSWORD\n  value: hunter2',
      '- name: DB_PASSWORD\n  value: <redacted>',
    ],
    [
      'a variable in JSON',
      '{"name":"DB_PASSWORD","value":"hunter2"}',
      '{"name":"DB_PASSWORD","value":"<redacted>"}',
    ],
    [
      'a header of several words',
      "-H 'Authorization: AWS4-HMAC-SHA256 Credential=a/b, Signature=hunter2' x",
      "-H 'Authorization: <redacted>' x",
    ],
    ['all cookies', 'sent Cookie: a=hunter2; b=hunter3', 'sent Cookie: <redacted>'],
    ['the signature of a URL', 'https://a/b?sv=1&sig=hunter2%3D', 'https://a/b?sv=1&sig=<redacted>'],
    [
      'the same in JSON of Go',
      '{"url":"https://a/b?sv=1\\u0026sig=hunter2"}',
      '{"url":"https://a/b?sv=1\\u0026sig=<redacted>"}',
    ],
    [
      'the same in a URL',
      'u=https%3A%2F%2Fa%3Fsv%3D1%26sig%3Dhunter2',
      'u=https%3A%2F%2Fa%3Fsv%3D1%26sig%3D<redacted>',
    ],
    ['a password with a slash', 'http://me:hun/ter2@proxy:3128/', 'http://<redacted>@proxy:3128/'],
    ['the user of a domain', 'http://corp\\me:hunter2@proxy:3128/', 'http://<redacted>@proxy:3128/'],
    ['the data of a kubeconfig', 'client-key-data: TUlJ', 'client-key-data: <redacted>'],
  ])('takes out %s', (_, text, expected) => {
    expect(redact(text)).toEqual({ text: expected, count: 1 });
  });

  test.each([
    ['names of files', '{"tls-private-key-file":"C:\\\\k\\\\kubelet.key","CertificateName":"CN=a"}'],
    ['what is true or false', '--authentication-token-webhook=true {"token":null,"auth":false,"key":""}'],
    ['numbers too long for a computer', '{"InterfaceLuid":1689399632855040123456789}'],
    ['a byte-order mark and odd spaces', '\ufeff{\u00a0"name":"a"\u00a0}'],
    [
      'addresses',
      'fe80::1 10.0.0.1:6443 https://10.0.0.1/x@y https://reg:5000/a@sha256:00 http://[::1]:80/x@y 00-15-5D-01-02-03',
    ],
    ['words that end as key does', '{"app":"monkey","monkey":"a","turkey":1}'],
    ['the key of a GRE tunnel, which VFP shows', '   GRE key : 4096'],
    ['policies', '{"Type":"Encryption","Settings":{"AuthenticationMethods":[{"Type":"PresharedKey"}]}}'],
    ['prose', 'The token has expired. The key is missing. Basic authentication is off.'],
  ])('leaves %s alone', (_, text) => {
    expect(redact(text)).toEqual({ text, count: 0 });
  });

  test('takes out the secrets of a text one by one', () => {
    expect(redact('{"a":{"Key":"x","n":1},"b":{"Key":"y"},"password":"z"}')).toEqual({
      text: '{"a":{"Key":"<redacted>","n":1},"b":{"Key":"<redacted>"},"password":"<redacted>"}',
      count: 3,
    });
  });

  test('does nothing to what it has redacted', () => {
    const { text } = redact(
      `password=x Authorization: Bearer ${jwt} {"Key":"a","auth":{"b":1}} http://a:b@c/`,
    );
    expect(redact(text)).toEqual({ text, count: 0 });
  });

  test('is done in time with megabytes of what looks like a name or a string', () => {
    const text = ['a'.repeat(2_000_000), '"'.repeat(2_000_000), '{"auth":'.repeat(200_000)].join('\n');
    expect(redact(text).count).toBeGreaterThan(0);
  });
});

describe('redactToml', () => {
  test('takes out the secrets of containerd, and leaves the rest as it was', () => {
    const toml = [
      'version = 2\r',
      'root = "C:\\\\ProgramData\\\\containerd\\\\root" # password = "old"',
      '[plugins."io.containerd.grpc.v1.cri".registry.configs."reg.example:5000".auth]',
      '  username = "me"',
      '  password = """a',
      'b"""',
      '[plugins."io.containerd.grpc.v1.cri".registry.configs."reg.example".tls]',
      '  key_file = "C:\\\\k\\\\reg.key"',
      '[plugins."io.containerd.grpc.v1.cri".registry]',
      '  mirrors = { "reg.example" = { endpoint = ["https://me:pw@mirror.example"] } }',
      '  configs."reg.example".auth.identitytoken = \'abc\'',
      '  configs."other.example" = { auth = { username = "me", password = "x" }, tls = {} }',
      '[plugins.cri.registry.auths."https://old.example"]',
      '  username = "me"',
      '[plugins."io.containerd.grpc.v1.cri".registry.headers]',
      '  X-Meta-Source = ["one",',
      '    "two"]',
      '[plugins."io.containerd.grpc.v1.cri".cni]',
      '  conf_dir = "C:\\\\etc\\\\cni\\\\net.d"',
      '',
    ];
    expect(redactToml(toml.join('\n'))).toEqual({
      text: [
        'version = 2\r',
        'root = "C:\\\\ProgramData\\\\containerd\\\\root" # password = "<redacted>"',
        '[plugins."io.containerd.grpc.v1.cri".registry.configs."reg.example:5000".auth]',
        '  username = "<redacted>"',
        '  password = """<redacted>"""',
        '[plugins."io.containerd.grpc.v1.cri".registry.configs."reg.example".tls]',
        '  key_file = "C:\\\\k\\\\reg.key"',
        '[plugins."io.containerd.grpc.v1.cri".registry]',
        '  mirrors = { "reg.example" = { endpoint = ["https://<redacted>@mirror.example"] } }',
        '  configs."reg.example".auth.identitytoken = \'<redacted>\'',
        '  configs."other.example" = { auth = "<redacted>", tls = {} }',
        '[plugins.cri.registry.auths."https://old.example"]',
        '  username = "<redacted>"',
        '[plugins."io.containerd.grpc.v1.cri".registry.headers]',
        '  X-Meta-Source = "<redacted>"',
        '[plugins."io.containerd.grpc.v1.cri".cni]',
        '  conf_dir = "C:\\\\etc\\\\cni\\\\net.d"',
        '',
      ].join('\n'),
      count: 8,
    });
  });
});
