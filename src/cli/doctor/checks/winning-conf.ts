import type { ConfFile } from '../containerd/conf-file.ts';
import { ownerOfConf } from '../containerd/conf-owner.ts';
import { areFoldersKnown, type Facts } from '../facts.ts';
import { type Check, type Judgement, someOf } from '../finding.ts';
import { nameOf } from '../paths.ts';
import { quoted } from '../quoted.ts';

/** Which configuration pods get, and whether it is win-hcn's. */
export const winningConf: Check = {
  name: 'winning conf',
  judge: (facts) => {
    const { configuration, containerd } = facts;
    const { confDir } = containerd.folders;
    const see = `Get-ChildItem ${quoted(confDir)}`;
    if ('unknown' in configuration.files) {
      const verdict = areFoldersKnown(containerd) ? 'FAIL' : 'UNKNOWN';
      const { unknown } = configuration.files;
      const consequence = verdict === 'FAIL' ? ': containerd starts no pod that needs a network' : '';
      const seen = unknown.startsWith('ENOENT')
        ? `there is no folder ${confDir}${consequence}`
        : `${confDir} cannot be read: ${unknown}`;
      return [{ verdict, seen, see }];
    }
    const [first, ...others] = configuration.files.known;
    if (first === undefined) {
      const seen = `${confDir} has no .conf, .conflist or .json file: containerd starts no pod that needs a network`;
      return [{ verdict: 'FAIL', seen, see }];
    }
    return [judge(first, others, facts)];
  },
};

function judge(first: ConfFile, others: readonly ConfFile[], facts: Facts): Judgement {
  const { configuration, containerd } = facts;
  const outside = { ...facts, programs: configuration.programs };
  const what = `${describe(first)}${configuration.isGiven ? ', given with --conf' : ''}`;
  if (first.plugins.length === 0)
    return {
      verdict: 'FAIL',
      seen: `${describe(first)} is no configuration${configuration.isGiven ? '' : ', and containerd goes no further'}`,
      see: `win-hcn validate ${quoted(first.path)}`,
    };
  const owner = ownerOfConf(first, outside);
  if (owner === 'unknown')
    return {
      verdict: 'UNKNOWN',
      seen: `${what}: whether that program is a copy of win-hcn is not known`,
      see: `Get-ChildItem ${quoted(containerd.folders.binDirs[0] ?? '')} | Select-Object Name, @{ n = 'Product'; e = { $_.VersionInfo.ProductName } }`,
    };
  if (owner === 'win-hcn') return { verdict: 'PASS', seen: `${what}${also(others, facts)}` };
  const ours = others.find((file) => ownerOfConf(file, outside) === 'win-hcn');
  if (ours === undefined)
    return {
      verdict: 'WARN',
      seen: `${what}, and no file is for win-hcn`,
      see: `Get-ChildItem ${quoted(containerd.folders.confDir)}`,
    };
  const name = nameOf(first.path);
  return {
    verdict: 'FAIL',
    seen: `${what}, comes before ${nameOf(ours.path)}: pods get that network`,
    fix: `Rename-Item ${quoted(first.path)} ${quoted(`${name}.off`)}`,
  };
}

function describe({ path, network, plugins }: ConfFile): string {
  const types = plugins.map(({ type }) => type || 'no type');
  return plugins.length === 0 ? path : `${path}, network "${network}" of ${someOf(types)}`;
}

/** What else counts, or is passed over. */
function also(others: readonly ConfFile[], { containerd, configuration }: Facts): string {
  const { maxConfNum } = containerd.folders;
  if (others.length === 0 || configuration.isGiven) return '';
  const counting = maxConfNum === 0 ? others.length : Math.min(others.length, maxConfNum - 1);
  const names = others.map(({ path }) => nameOf(path));
  const more = names.slice(0, counting);
  const passed = names.slice(counting);
  return [
    more.length === 0
      ? ''
      : `; pods get further interfaces by ${someOf(more)} (max_conf_num is ${maxConfNum})`,
    passed.length === 0 ? '' : `; passed over: ${someOf(passed)}`,
  ].join('');
}
