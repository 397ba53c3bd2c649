import { isKey } from '../../hcn/documents.ts';

/** Parts of a name that make it secret. */
const secretWords =
  /password|passwd|passphrase|passcode|secret|token|credential|presharedkey|privatekey|connectionstring|dockercfg|dockerconfig/;
/** Whole names; `auth` and `header` are tables of containerd. */
const secretNames =
  /^(auths|authorization|proxyauthorization|certificate|cert|cookie|headers?|psk|setcookie|sig)$/;
/** As in `smtp_pass`, `X-Registry-Auth`, `authorizedKeys`, and in signed URLs. */
const secretEndings = /(pwd|(?<!by|com)pass|(?<!un)auth|(?<!public|mon|don|tur|hoc|joc)keys|signature)$/;
/** As in `client-key-data` of a kubeconfig. */
const secretData = /(key|certificate|cert|authority)data$/;
/** Short words, as in `GITHUB_PAT` and `azureJwt`. */
const shortWords: ReadonlySet<string> = new Set(['jwt', 'otp', 'pat', 'pin', 'pw', 'sas', 'cred', 'creds']);
/** Endings of names that only describe or locate a secret. */
const metadata = /(file|path|dir|folder|name|type|url|ttl|expiry|enabled)$/;

/** Whether the value with this name is secret: a member of JSON or TOML, a flag, a header, a variable. Ignores case, `-` and `_`. */
export function isSecretName(name: string): boolean {
  return name.split('.').some((part) => {
    const plain = plainName(part);
    return (
      isKey(plain) ||
      secretNames.test(plain) ||
      secretEndings.test(plain) ||
      secretData.test(plain) ||
      (!metadata.test(plain) &&
        (secretWords.test(plain) || wordsOf(part).some((word) => shortWords.has(word))))
    );
  });
}

/** A name in lower case, without `-` and `_`. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** The words of `registry_pat` and `registryPat`, in lower case. */
function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/(?<=[a-z0-9])[A-Z]/g, ' $&')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

/** Describes the names in README.txt. */
export const secretNamesText =
  'values with names such as password, secret, token, key, psk, pat, jwt, credential, auth, authorization, cookie, certificate or header';
