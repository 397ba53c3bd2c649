import { describe, expect, test } from 'vitest';
import { redact } from '../../../../src/cli/collect/redact.ts';

const pem = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADAN\n-----END PRIVATE KEY-----';
const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJub2RlIn0.c2lnbmF0dXJl';
const base64 = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC';
const begin = '-----BEGIN RSA PRIVATE KEY-----';
const k3s = `K10${'0123456789abcdef'.repeat(4)}::server:hunter2`;
const log = JSON.stringify({ document: JSON.stringify({ Name: 'a', Key: 'p"ss' }), code: 100 });
const logOfLog = JSON.stringify({ line: log });
/** The key in `log` and `logOfLog`. */
const [quoted, quotedTwice] = ['p\\\\\\"ss', 'p\\\\\\\\\\\\\\"ss'] as const;

describe('redact', () => {
  test('replaces the attribute with the value of a named setting in XML', () => {
    const xml = '<add key="Password" value="hun>ter2"/><add key="mtu" value="1450"/>';
    expect(redact(xml)).toEqual({
      text: '<add key="<redacted>" value="<redacted>"/><add key="<redacted>" value="1450"/>',
      count: 3,
    });
  });

  /** The secret is between « and ». */
  test.each([
    ['a preshared key of HCN', '{"Key":"«hunter2»","Name":"a"}'],
    ['a member name in any case', '{ "preShared_KEY" : "«x»" }'],
    ['a string that contains quotes', '{"token":"«a\\"b\\\\»","n":1}'],
    ['any kind of key', '{"etcd_key":"«x»","public_key":"y"}'],
    ['a name that ends with pass', '{"smtp_pass":"«x»","bypass":"y"}'],
    ['a setting in text', 'failed: password=«x)y», retrying'],
    ['a quoted setting', "pwd = '«a b»' user=me"],
    ['an environment variable', 'AWS_SECRET_ACCESS_KEY=«abc/def»'],
    ['a line of Format-List', 'ApiKey       : «abc»'],
    ['a flag with =', 'kubelet.exe --bootstrap-token=«a.b» --v=2'],
    ['a flag with a space', 'kubelet.exe --bootstrap-token «a.b» --v=2'],
    ['a flag in a list', '"args": ["--token", "«a.b»"]'],
    ['an attribute of XML in JSON', '{"line":"<add value=\\"«hunter2»\\" name=\\"Password\\" x=\\"1\\"/>"}'],
    [
      'attributes of XML with apostrophes',
      "<add name='TOKEN' value='«a b»' type='x'><add name='a' value='b'>",
    ],
    ['a header', 'Authorization: Basic «dXNlcjpw»'],
    ['a bearer token', 'sent Bearer «abcdefghijklmnop.q»'],
    ['a user in a URL', 'http://«me:p@ss»@proxy:3128/x'],
    ['a flag with a value that contains spaces', 'k.exe --password "«my hunter2»" --v=2'],
    [
      'a flag with a value that contains spaces in JSON',
      '{"line":"k.exe --password \\"«my hunter2»\\" --v=2"}',
    ],
    ['a quoted flag', '"C:\\k.exe" "--token" "«hunter2»" "--v=2"'],
    ['a value that contains a comma', 'failed: password=«hun,ter2», retrying'],
    ['a value that contains an apostrophe', "with password=«hun'ter2» to"],
    ['a part of a connection string', 'Server=a;Pwd=«hun;ter2»;Encrypt=true'],
    ['a value that fills its line', 'Passphrase : «correct horse»\nName : a'],
    ['a multi-line string in YAML', 'password: «|\n  hun\n  ter2»\nname: a'],
    ['a list in YAML', 'a:\n  tokens:«\n  - x\n  - y»\n  b: c'],
    ['a variable in YAML', '- name: DB_PASSWORD\n  value: «hunter2»'],
    ['a variable in JSON', '{"name":"DB_PASSWORD","value":"«hunter2»"}'],
    [
      'a header that contains spaces',
      "-H 'Authorization: «AWS4-HMAC-SHA256 Credential=a/b, Signature=hunter2»' x",
    ],
    ['all cookies', 'sent Cookie: «a=hunter2; b=hunter3»'],
    ['the signature of a URL', 'https://a/b?sv=1&sig=«hunter2%3D»'],
    ['the signature of a URL in JSON written by Go', '{"url":"https://a/b?sv=1\\u0026sig=«hunter2»"}'],
    ['the signature of a URL in a URL', 'u=https%3A%2F%2Fa%3Fsv%3D1%26sig%3D«hunter2»'],
    ['a password that contains a slash', 'http://«me:hun/ter2»@proxy:3128/'],
    ['a domain user in a URL', 'http://«corp\\me:hunter2»@proxy:3128/'],
    ['the data of a kubeconfig', 'client-key-data: «TUlJ»'],
    ['JSON within JSON', log.replace(quoted, `«${quoted}»`)],
    ['JSON within JSON within JSON', logOfLog.replace(quotedTwice, `«${quotedTwice}»`)],
    ['a JSON web token', `got «${jwt}» from`],
    ['a JSON web token after a hyphen', `got x-«${jwt}» from`],
    ['JSON in Base64', '.dockerconfigjson is «eyJhdXRocyI6» now'],
    ['a value with backslashes', 'failed: password=«a\\\\b\\c», retrying'],
    ['a value before an escaped quote', '"password=«a\\\\b»\\" retrying'],
    ['lines that are indented more', 'token:«\n  a\n\t\t\n    b»\n\n  c'],
    ['lines that are indented more than an indented name', '  token:«\n   a\n  - b»\n  c'],
    ['a proxy without a scheme', 'proxy «me:hunter2»@proxy:3128'],
    ['a proxy whose password has an @', 'HTTPS_PROXY=«me:hun@ter2»@proxy:3128'],
    ['the proxies of Internet Settings', 'ProxyServer : http=«me:hun;ter2@a:1;https=me:hunter2»@proxy:3128'],
    ['a password that starts with digits and a slash', 'http://«me:12/hunter2»@proxy:3128/'],
    ['the second of two URLs', 'https://10.0.0.1:6443,https://«me:hunter2»@b'],
    ['a URL in a URL', 'u=https%3A%2F%2F«me%3Ahunter2»%40a%2Fx'],
    ['X-Registry-Auth', 'X-Registry-Auth: «hunter2»'],
    ['REGISTRY_AUTH', 'REGISTRY_AUTH=«hunter2»'],
    ['registryAuth', '{"registryAuth":"«hunter2»","n":1}'],
    ['basicAuth', '{"basicAuth":"«hunter2»","n":1}'],
    ['dockerconfigjson', '{".dockerconfigjson":"«hunter2»","n":1}'],
    ['jwt', '{"jwt":"«hunter2»","n":1}'],
    ['GITHUB_PAT', 'set GITHUB_PAT=«hunter2» x'],
    ['azurePat', '{"azurePat":"«hunter2»","path":"C:\\\\a"}'],
    ['a value before its name', '{"value":"«hunter2»","name":"DB_PASSWORD"}'],
    ['a value before its name, with others between', '{"value":"«hunter2»","x":{"name":"a"},"name":"TOKEN"}'],
    ['a value before its name in lines', 'Value : «hunter2»\r\nName  : TOKEN'],
    [
      'a value before its name in JSON in a string',
      '{"a":"{\\"value\\":\\"«hunter2»\\",\\"name\\":\\"TOKEN\\"}"}',
    ],
    ['a variable with spaces in a list', '{"env":["PASSWORD=«my hunter2»","A=b"]}'],
    ['a short bearer token', 'sent bearer «hunt3r» to'],
    ['Base64 of a user and a password', 'sent «bWU6aHVudGVyMg==» to'],
    ['Base64 of a user and a password in UTF-8', 'sent «bWU6cMOkc3M=» to'],
    ['an unknown parameter of a URL', 'https://a/b?code=«hunter2»&v=1&sv=2024-01-01'],
    ['an element of XML', '<a:Password x="y">«hunter2»</a:Password>'],
    ["curl's user", 'curl -u «me:hunter2» https://a'],
    ['a token of GitHub', 'with «ghp_0123456789abcdef»'],
    ['a token of kubeadm', 'join 10.0.0.1:6443 with «abcdef.0123456789abcdef»'],
    ['a connection string', '{"connectionString":"«Server=a;User=sa»","n":1}'],
    ['a PEM block', `before\n«${pem}»\nafter`],
    ['a PEM block in JSON', `{"a":"«${JSON.stringify(pem).slice(1, -1)}»"}`],
    ['a truncated PEM block', `failed: ${begin}«\n${base64}\n${base64}\nMIIE»\n.`],
    ['a truncated PEM block in JSON', `{"a":"${begin}«\\n${base64}\\n${base64}\\nMIIE»"}`],
    ['a token of k3s', `k3s.exe agent -t «${k3s}» -v 2`],
  ])('replaces %s', (_, marked) => {
    const text = marked.replaceAll(/[«»]/g, '');
    expect(redact(text)).toEqual({ text: marked.replace(/«.*»/s, '<redacted>'), count: 1 });
  });

  test.each([
    ['a number', '{"password":1234}', '{"password":"<redacted>"}'],
    ['an object', '{"auth":{"user":"me","a":["]"]},"n":1}', '{"auth":"<redacted>","n":1}'],
    ['a list', '{"tokens":["a","b"]}', '{"tokens":"<redacted>"}'],
    ['an unterminated object', '{"auth":{"user":"me",\n"n":1', '{"auth":"<redacted>"\n"n":1'],
    ['an unterminated string', '{"Key":"hunt\n}', '{"Key":"<redacted>"\n}'],
  ])('replaces %s in JSON with a string', (_, text, expected) => {
    expect(redact(text)).toEqual({ text: expected, count: 1 });
  });

  test.each([
    ['file names', '{"tls-private-key-file":"C:\\\\k\\\\kubelet.key","CertificateName":"CN=a"}'],
    [
      'booleans, null and empty strings',
      '--authentication-token-webhook=true {"token":null,"auth":false,"key":""}',
    ],
    ['numbers larger than JavaScript supports', '{"InterfaceLuid":1689399632855040123456789}'],
    ['a byte-order mark and non-breaking spaces', '\ufeff{\u00a0"name":"a"\u00a0}'],
    [
      'addresses',
      'fe80::1 10.0.0.1:6443 https://10.0.0.1/x@y https://reg:5000/a@sha256:00 http://[::1]:80/x@y 00-15-5D-01-02-03',
    ],
    ['words that end with key', '{"app":"monkey","monkey":"a","turkey":1}'],
    ['GRE keys, which VFP prints', '   GRE key : 4096'],
    ['policies', '{"Type":"Encryption","Settings":{"AuthenticationMethods":[{"Type":"PresharedKey"}]}}'],
    ['an image by digest', 'reg:5000/pause@sha256:0011 https://reg.example:5000/pause:3.9@sha256:0011'],
    ['a mail address', 'me@example.com, kubernetes-admin@kubernetes, 12:30:00 a@b'],
    ['public names', '{"publicKeys":["a"],"path":"x","bypass":"y","unauth":"z","spin":"1"}'],
    ['values with public names', '{"value":"a","name":"PATH"} <Path>a</Path>'],
    ['words that could be Base64', 'Ethernet Microsoft 0011223344556677 00112233aabbccdd'],
    ['numbers, dates and words in URLs', 'https://a/b?LinkId=280262&sv=2024-01-01&sp=r'],
    ['prose', 'The token has expired. The key is missing. Basic authentication is off.'],
  ])('does not change %s', (_, text) => {
    expect(redact(text)).toEqual({ text, count: 0 });
  });

  test('replaces each of several secrets', () => {
    expect(redact('{"a":{"Key":"x","n":1},"b":{"Key":"y"},"password":"z"}')).toEqual({
      text: '{"a":{"Key":"<redacted>","n":1},"b":{"Key":"<redacted>"},"password":"<redacted>"}',
      count: 3,
    });
  });

  test('does not change redacted text', () => {
    const { text } = redact(
      `password=x Authorization: Bearer ${jwt} {"Key":"a","auth":{"b":1}} http://a:b@c/`,
    );
    expect(redact(text)).toEqual({ text, count: 0 });
  });

  test('is fast for megabytes of text that looks like names or strings', () => {
    const text = ['a'.repeat(2_000_000), '"'.repeat(2_000_000), '{"auth":'.repeat(200_000)].join('\n');
    expect(redact(text).count).toBeGreaterThan(0);
  });
});
