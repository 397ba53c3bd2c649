// Secrets in the forms that files, command lines and messages have them in. A secret contains what its form allows.

/** A secret, and a text or a JSON value that contains it. */
export interface Planted<T> {
  readonly form: string;
  readonly secret: string;
  readonly value: T;
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
const pem = (secret: string) =>
  `-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\n${secret}MIIEvQIBADANBgkqhkiG9w0B\n-----END PRIVATE KEY-----`;

/** `%` is the secret; `odd` characters follow it. */
interface TextForm {
  readonly text: (secret: string) => string;
  readonly odd?: string;
}

/** In prose, command lines, and the output of programs. */
const textForms: Readonly<Record<string, TextForm>> = {
  'a proxy without a scheme': { text: (s) => `proxy is me:${s}@proxy:3128 now`, odd: '/1@;,:x' },
  'a proxy whose password starts with digits and a slash': { text: (s) => `http://me:12/${s}@proxy:3128/` },
  'two proxies of Internet Settings': {
    text: (s) => `ProxyServer : http=me:${s}@proxy:3128;https=me:${s}@proxy:3128`,
    odd: '@7/',
  },
  'a URL': { text: (s) => `pull https://me:${s}@reg.example:5000/v2/`, odd: '/8:@' },
  'a URL with a token for a user': { text: (s) => `clone https://${s}@git.example/x` },
  'a URL in a URL': { text: (s) => `u=https%3A%2F%2Fme%3A${s}%40reg.example%2Fx` },
  'a variable that ends in AUTH': { text: (s) => `set REGISTRY_AUTH=${s}`, odd: '/+=' },
  'a header that ends in Auth': { text: (s) => `X-Registry-Auth: ${s}`, odd: '/+=' },
  'a personal access token': { text: (s) => `GITHUB_PAT=${s}` },
  'a JSON web token': { text: (s) => `jwt: ${s}` },
  'a docker configuration': { text: (s) => `.dockerconfigjson: ${base64(`{"auths":"${s}"}`)}` },
  'Basic credentials': { text: (s) => `sent Authorization: Basic ${base64(`me:${s}`)}`, odd: ':/x y' },
  'Base64 of a user and a password': { text: (s) => `sent ${base64(`me:${s}`)} to`, odd: 'ä' },
  'a bearer token': { text: (s) => `with bearer ${s} to`, odd: '.+/=' },
  'a PEM block': { text: pem },
  'a SAS token': { text: (s) => `https://a.example/b?sv=2024-01-01&sp=r&sig=${s}&se=2026-01-01`, odd: '%3D' },
  'an unknown parameter of a URL': { text: (s) => `https://a.example/b?code=${s}&v=1` },
  'a connection string': { text: (s) => `Server=db,1433;User Id=sa;Password=${s};Encrypt=true`, odd: '{!/' },
  'a storage account': { text: (s) => `AccountName=a;AccountKey=${s};EndpointSuffix=x`, odd: '/+==' },
  'an element of XML': { text: (s) => `<Password type="x">${s}</Password>`, odd: ' y;' },
  'an attribute of XML': { text: (s) => `<add key="Password" value="${s}"/>`, odd: ' y>' },
  'a value before its name': { text: (s) => `Value : ${s}\nName  : DB_PASSWORD`, odd: ' y' },
  'a name before its value': { text: (s) => `Name : DB_PASSWORD\nValue : ${s}` },
  'a flag': { text: (s) => `k.exe --token ${s} --v=2`, odd: '/=' },
  'a quoted flag': { text: (s) => `k.exe --password "${s}" --v=2`, odd: ' y' },
  "curl's user": { text: (s) => `curl.exe -u me:${s} https://a.example`, odd: '@/' },
  "Windows' flag": { text: (s) => `net.exe use x /password:${s} /y` },
  'a token of GitHub': { text: (s) => `got ghp_${s}0123456789abcdef` },
};

/** Members of JSON. */
const jsonForms: Readonly<Record<string, (secret: string) => Record<string, unknown>>> = {
  'a password': (s) => ({ password: s }),
  'a number as a password': (s) => ({ password: s, pin: 48_151_623 }),
  registryAuth: (s) => ({ registryAuth: s }),
  basicAuth: (s) => ({ basicAuth: { username: 'me', value: s } }),
  'X-Registry-Auth': (s) => ({ headers: { 'X-Registry-Auth': [s] } }),
  dockerconfigjson: (s) => ({ data: { '.dockerconfigjson': s } }),
  jwt: (s) => ({ jwt: s }),
  azurePat: (s) => ({ azurePat: s }),
  'keys in a list': (s) => ({ keys: ['a', s] }),
  'a value before its name': (s) => ({ env: [{ value: s, name: 'DB_PASSWORD' }] }),
  'a value before its name, with others between': (s) => ({
    env: [{ value: s, x: [{ name: 'a' }], name: 'DB_PASSWORD' }],
  }),
  'a name before its value': (s) => ({ env: [{ name: 'DB_PASSWORD', value: s }] }),
  'a variable in a list': (s) => ({ env: [`DB_PASSWORD=my ${s} it is`] }),
  'a flag in a list': (s) => ({ command: ['--token', s] }),
  'a flag in the arguments of a program': (s) => ({ args: ['--password', s] }),
  'JSON in a string': (s) => ({ document: JSON.stringify({ a: [{ value: s, name: 'TOKEN' }] }) }),
  'JSON in JSON in a string': (s) => ({
    document: JSON.stringify({ document: JSON.stringify({ Key: s, a: '"' }) }),
  }),
  'the key of a policy': (s) => ({ Policies: [{ Type: 'PresharedKey', Settings: { Key: s } }] }),
};

let planted = 0;
const newSecret = () => {
  planted += 1;
  return `Zq${String(planted).padStart(4, '0')}kV`;
};

/** A secret in each form of text. */
export function plantTexts(): readonly Planted<string>[] {
  return Object.entries(textForms).map(([form, { text, odd = '' }]) => {
    const secret = newSecret();
    return { form, secret, value: text(secret + odd) };
  });
}

/** A secret in each form of JSON, and in each form of text within a string. */
export function plantObjects(): readonly Planted<Record<string, unknown>>[] {
  const objects = Object.entries(jsonForms).map(([form, object]) => {
    const secret = newSecret();
    return { form, secret, value: object(secret) };
  });
  return [
    ...objects,
    ...plantTexts().map(({ value, ...rest }) => ({ ...rest, value: { Description: value } })),
  ];
}

/** The forms in which the bytes of a file can contain a secret. */
export function encodings(secret: string): readonly Buffer[] {
  const offsets = ['', 'x', 'xx'].map((before) => {
    const text = base64(before + secret);
    return text.slice(before === '' ? 0 : 4, Math.floor((before.length + secret.length) / 3) * 4);
  });
  const texts = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...offsets];
  return [...texts.map((text) => Buffer.from(text)), Buffer.from(secret, 'utf16le')];
}
