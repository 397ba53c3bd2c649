import { parseObject } from '../../json/members.ts';
import { isAddress, isHarmless, isPath, isSimple, looksRandom, omittedMark } from './harmless.ts';
import { redact } from './redact.ts';
import { isSecretName, plainName } from './secret-names.ts';
import { type Learn, type Redacted, redactedMark } from './secret-shapes.ts';

/** Flags of Kubernetes' and containerd's programs whose values a diagnosis needs. */
const knownFlags: ReadonlySet<string> = new Set(
  `address bind-address cert-dir cluster-cidr cluster-dns cluster-domain cni-bin-dir cni-conf-dir config config-file container-runtime
  container-runtime-endpoint enable-dsr enforce-node-allocatable feature-gates hostname-override iface image-pull-progress-deadline
  ip-masq kube-subnet-mgr kubeconfig kubeconfig-file bootstrap-kubeconfig log-dir log-file log-level logtostderr max-pods mode
  network-name network-plugin node-ip node-labels node-name pod-cidr pod-infra-container-image port proxy-mode register-node
  register-with-taints resolv-conf root root-dir run-service service service-cidr service-cluster-ip-range service-name source-vip
  state tls-cert-file tls-private-key-file v vxlan-mac-prefix windows-service`
    .split(/\s+/)
    .map(plainName),
);

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

function isSetting(value: string): boolean {
  return isSimple(value) || isPath(value);
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
  const name = plainName(flag ?? '');
  const isKnown = knownFlags.has(name) || (isSvchost && svchostFlags.has(name));
  const isKept = isKnown
    ? value.split(',').every(isFlagValue)
    : isAddress(value) || isPath(value) || /^(?:true|false)$/i.test(value);
  return isKept ? found : replace(value);
}

/** Also `DSR=true`, as in a list of feature gates or labels. */
function isFlagValue(value: string): boolean {
  return isHarmless(value) || isHarmless(value.replace(/^[\w./-]{1,100}[=:]/, ''));
}
