import { parseObject } from '../../json/members.ts';
import { isAddress, isHarmless, isPath, isSimple, looksRandom, omittedMark } from './harmless.ts';
import { redact } from './redact.ts';
import { isSecretName, plainName } from './secret-names.ts';
import { type Learn, type Redacted, redactedMark } from './secret-shapes.ts';

/** Flags of Kubernetes' and containerd's programs, and of svchost.exe, whose values a diagnosis needs. */
const knownFlags: ReadonlySet<string> = new Set(
  `address bind-address cert-dir cluster-cidr cluster-dns cluster-domain cni-bin-dir cni-conf-dir config config-file container-runtime
  container-runtime-endpoint enable-dsr enforce-node-allocatable feature-gates hostname-override iface image-pull-progress-deadline
  ip-masq k kube-subnet-mgr kubeconfig kubeconfig-file bootstrap-kubeconfig log-dir log-file log-level logtostderr max-pods mode name
  network-name network-plugin node-ip node-labels node-name pod-cidr pod-infra-container-image port proxy-mode register-node
  register-with-taints resolv-conf root root-dir run-service s service service-cidr service-cluster-ip-range service-name source-vip
  state tls-cert-file tls-private-key-file v vxlan-mac-prefix windows-service`
    .split(/\s+/)
    .map(plainName),
);

/** `PathName : C:\\k\\kubelet.exe --v=2`, as Format-List prints it. */
const commandLine = /^((?:CommandLine|PathName)[ \t]{0,40}: )([^\r\n]+)/gm;
const setting = /^([\w.()-]{1,80}[ \t]{0,40}: )([^\r\n]+)/gm;
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
  const clean = (name: string, value: string) =>
    isSetting(value.trim()) && !isSecretName(name) ? value : replace(value);
  const settings =
    start === -1
      ? ''
      : text.slice(start).replace(setting, (_, name: string, value: string) => name + clean(name, value));
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
  let flag: string | undefined;
  return line.replaceAll(argument, (found) => {
    const [, name, equals = '', value = ''] =
      /^"?(-{1,2}[A-Za-z][\w.-]{0,60})(?:(=)(.*))?$/s.exec(found) ?? [];
    if (name !== undefined) {
      flag = equals === '' ? name : undefined;
      return found.slice(0, found.length - value.length) + cleanArgument(value, name, replace);
    }
    const clean = cleanArgument(found, flag, replace);
    flag = undefined;
    return clean;
  });
}

function cleanArgument(found: string, flag: string | undefined, replace: Replacer['replace']): string {
  const value = found.replace(/^"|"$/g, '');
  if (value === '' || value.endsWith(redactedMark)) return found;
  if (flag !== undefined && isSecretName(flag) && !/^(?:true|false)$/i.test(value))
    return replace(value, redactedMark);
  const isKnown = flag !== undefined && knownFlags.has(plainName(flag));
  const isKept = isKnown
    ? value.split(',').every(isFlagValue)
    : isAddress(value) || isPath(value) || /^(?:true|false)$/i.test(value);
  return isKept ? found : replace(value);
}

/** Also `DSR=true`, as in a list of feature gates or labels. */
function isFlagValue(value: string): boolean {
  return isHarmless(value) || isHarmless(value.replace(/^[\w./-]{1,100}[=:]/, ''));
}
