import { isKey } from '../../hcn/documents.ts';

/** Words that make a secret of whatever has them in its name. */
const words = /password|passwd|passphrase|secret|token|credential|presharedkey|privatekey/;
/** Whole names; containerd's `auth` and `header` are tables. */
const names =
  /^(auths?|authorization|proxyauthorization|certificate|cert|cookie|headers?|psk|setcookie|sig)$/;
/** As in `smtp_pass`, and in signed URLs. */
const endings = /(pwd|(?<!by|com)pass|signature)$/;
/** As in `client-key-data` of a kubeconfig. */
const data = /(key|certificate|cert|authority)data$/;
/** What only says where a secret is, or what it is like. */
const about = /(file|path|dir|folder|name|type|url|ttl|expiry|enabled)$/;

/** Whether what has this name is secret: a member of JSON or TOML, a flag, a header, a variable. Case, `-` and `_` do not count. */
export function isSecretName(name: string): boolean {
  return name.split('.').some((part) => {
    const plain = part.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
    return (
      isKey(plain) ||
      names.test(plain) ||
      endings.test(plain) ||
      data.test(plain) ||
      (words.test(plain) && !about.test(plain))
    );
  });
}

/** The same for a person. */
export const secretNamesInWords =
  'what goes by a name such as password, secret, token, key, psk, credential, auth, authorization, cookie, certificate or header';
