import { parseObject } from '../../json/members.ts';
import { isAddress, isHarmless, isPath, isSetting, looksRandom, omittedMark } from './harmless.ts';
import { redact } from './redact.ts';
import { isSecretName, plainName } from './secret-names.ts';
import { type Learn, type Redacted, redactedMark } from './secret-shapes.ts';

/** Flags of Kubernetes' and containerd's programs whose values a diagnosis needs: addresses, numbers, booleans, durations or paths. */
const settingFlags = flagSet(
  `address bind-address bootstrap-kubeconfig cert-dir cluster-cidr cluster-dns cni-bin-dir cni-conf-dir config config-file enable-dsr
  image-pull-progress-deadline ip-masq kube-subnet-mgr kubeconfig kubeconfig-file log-dir log-file logtostderr max-pods node-ip pod-cidr
  port register-node resolv-conf root root-dir run-service service-cidr service-cluster-ip-range source-vip state tls-cert-file
  tls-private-key-file v windows-service`,
);

/** The same with values of any harmless form: names, images, URLs, and lists such as `DSR=true`. */
const nameFlags = flagSet(
  `cluster-domain container-runtime container-runtime-endpoint enforce-node-allocatable feature-gates hostname-override iface log-level mode
  network-name network-plugin node-labels node-name pod-infra-container-image proxy-mode register-with-taints service service-name
  vxlan-mac-prefix`,
);

function flagSet(names: string): ReadonlySet<string> {
  return new Set(names.split(/\s+/).map(plainName));
}

/** Flags of svchost.exe: the service group and the service. In other programs, these flags can mean something else. */
const svchostFlags: ReadonlySet<string> = new Set(['k', 's']);
const svchost = /^"?[^"\s]*\bsvchost\.exe(?:["\s]|$)/i;

/** `PathName : C:\\k\\kubelet.exe --v=2`, as Format-List prints it: it indents the other lines of a value. */
const commandLine = /^((?:CommandLine|PathName)[ \t]{0,40}: )([^\r\n]+(?:(?:\r?\n)+[ \t]+[^\s][^\r\n]*)*)/gm;
/** A setting starts its line. All other lines of the section belong to a value. */
const setting = /^([\w.()-][\w.() -]{0,119}:(?: |$))(.*)$/;
const argument = /"[^"]*"?|[^\s"]+/g;
const settingsTitle = '===== HNS settings';

/** Replaces the arguments of command lines unless they are known to be harmless, and other secrets. */
export function redactProcesses(text: string, learn: Learn): Redacted {
  const { replace, count } = newReplacer(learn);
  const clean = text.replace(
    commandLine,
    (_, name: string, line: string) => name + cleanArguments(line, replace),
  );
  const rest = redact(clean, learn);
  return { text: rest.text, count: rest.count + count() };
}

/** Replaces the settings of HNS unless they are known to be harmless, and other secrets. */
export function redactSettings(text: string, learn: Learn): Redacted {
  const start = text.indexOf(settingsTitle);
  const { replace, count } = newReplacer(learn);
  const clean = (line: string) => {
    if (line.trim() === '') return line;
    const [, name = '', value = line] = setting.exec(line) ?? [];
    if (isSecretName(name)) return value === '' ? line : name + replace(value, redactedMark);
    return name !== '' && (value === '' || isSetting(value.trim())) ? line : name + replace(value);
  };
  const settings =
    start === -1
      ? ''
      : settingsTitle + text.slice(start + settingsTitle.length).replaceAll(/[^\r\n]+/g, clean);
  const rest = redact(text.slice(0, start === -1 ? undefined : start) + settings, learn);
  return { text: rest.text, count: rest.count + count() };
}

/** Replaces the lines of a log that are not win-hcn's, and other secrets: a configuration can name any file as the log. */
export function redactLog(text: string, learn: Learn): Redacted {
  const { replace, count } = newReplacer(learn);
  const clean = text.replaceAll(/[^\r\n]+/g, (line) => (isRecord(line) ? line : replace(line)));
  const rest = redact(clean, learn);
  return { text: rest.text, count: rest.count + count() };
}

interface Replacer {
  replace(value: string, mark?: string): string;
  count(): number;
}

function newReplacer(learn: Learn): Replacer {
  let count = 0;
  return {
    replace: (value, mark = omittedMark(value)) => {
      if (mark === redactedMark || looksRandom(value)) learn(value);
      count += 1;
      return mark;
    },
    count: () => count,
  };
}

function isRecord(line: string): boolean {
  const record = parseObject(line);
  return typeof record['event'] === 'string';
}

/** Keeps the program, names of flags, and values that are harmless. */
function cleanArguments(line: string, replace: Replacer['replace']): string {
  const isSvchost = svchost.test(line);
  let flag: string | undefined;
  return line.replaceAll(argument, (found) => {
    const [, name, equals = '', value = ''] =
      /^"?(-{1,2}[A-Za-z][\w.-]{0,60})(?:(=)(.*)|"?)$/s.exec(found) ?? [];
    if (name !== undefined) {
      flag = equals === '' ? name : undefined;
      return found.slice(0, found.length - value.length) + cleanArgument(value, name, isSvchost, replace);
    }
    const clean = cleanArgument(found, flag, isSvchost, replace);
    flag = undefined;
    return clean;
  });
}

function cleanArgument(
  found: string,
  flag: string | undefined,
  isSvchost: boolean,
  replace: Replacer['replace'],
): string {
  const value = found.replace(/^"|"$/g, '');
  if (value === '' || value.endsWith(redactedMark)) return found;
  if (flag !== undefined && isSecretName(flag) && !/^(?:true|false)$/i.test(value))
    return replace(value, redactedMark);
  const isKept = value.split(',').every(formOf(plainName(flag ?? ''), isSvchost));
  return isKept ? found : replace(value);
}

/** The harmless forms of a flag's value. */
function formOf(name: string, isSvchost: boolean): (value: string) => boolean {
  if (nameFlags.has(name) || (isSvchost && svchostFlags.has(name))) return isFlagValue;
  if (settingFlags.has(name)) return isSetting;
  return (value) => isAddress(value) || isPath(value) || /^(?:true|false)$/i.test(value);
}

/** Also `DSR=true`, as in a list of feature gates or labels. */
function isFlagValue(value: string): boolean {
  return isHarmless(value) || isHarmless(value.replace(/^[\w./-]{1,100}[=:]/, ''));
}
