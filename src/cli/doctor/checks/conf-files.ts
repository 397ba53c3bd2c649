import type { ConfFile } from '../../conflist/conf-file.ts';
import type { Diagnostic } from '../../conflist/config-file.ts';
import { areFoldersCertain } from '../../containerd/read-containerd.ts';
import { quote } from '../../terminal/powershell.ts';
import { firstFew } from '../../terminal/short-text.ts';
import { fileName } from '../../terminal/windows-path.ts';
import { type Check, type Diagnosis, fail, pass, unknown, warn } from '../check.ts';
import { type Facts, firstConf } from '../facts.ts';
import { ownerOfConf, usedConf } from '../runtime/conf-owner.ts';

const consequence = 'containerd cannot start pods that need a network';

/** Shows the configuration that pods get, and checks that it is win-hcn's. */
export const winningConf: Check = {
  name: 'active conf',
  diagnose: (facts) => {
    const { configuration, containerd } = facts;
    const { confDir } = containerd.folders;
    const see = `Get-ChildItem ${quote(confDir)}`;
    if ('error' in configuration.files) {
      const isCertain = areFoldersCertain(containerd);
      const { error } = configuration.files;
      const seen = error.endsWith('no such folder')
        ? `folder ${confDir} does not exist${isCertain ? `: ${consequence}` : ''}`
        : error;
      return [(isCertain ? fail : unknown)(seen, { see })];
    }
    const [first, ...others] = configuration.files.value;
    if (first === undefined)
      return [fail(`no .conf, .conflist or .json file in ${confDir}: ${consequence}`, { see })];
    return [diagnoseFirst(first, others, facts)];
  },
};

function diagnoseFirst(first: ConfFile, others: readonly ConfFile[], facts: Facts): Diagnosis {
  const { configuration, containerd } = facts;
  const { folders } = containerd;
  if (first.plugins.length === 0) {
    const stops = configuration.isGiven ? '' : '; containerd stops there';
    const used = usedConf(facts);
    const usedInstead =
      used === undefined || used === first ? '' : `; the other checks use ${fileName(used.path)}`;
    return fail(`${first.path} is invalid${stops}${usedInstead}`, {
      see: `win-hcn config check ${quote(first.path)}`,
    });
  }
  const types = first.plugins.map(({ type }) => type || 'without type');
  const given = configuration.isGiven ? ' (given with --conf)' : '';
  const conf = `${first.path}${given}: network "${first.network}", plugin ${firstFew(types)}`;
  const ownerOf = (file: ConfFile) => ownerOfConf(file, { ...facts, programs: configuration.programs });
  const owner = ownerOf(first);
  if (owner === 'unknown')
    return unknown(`${conf}; that plugin may be a copy of win-hcn`, {
      see: `Get-ChildItem ${quote(folders.binDirs[0] ?? '')} | Select-Object Name, @{ n = 'Product'; e = { $_.VersionInfo.ProductName } }`,
    });
  if (owner === 'win-hcn') return pass(`${conf}${describeOthers(others, facts)}`);
  const ours = others.find((file) => ownerOf(file) === 'win-hcn');
  if (ours === undefined) return withoutOurs(conf, others, folders.confDir);
  const use = ours.plugins.length === 0 ? '' : ', which the other checks use';
  return fail(`${conf}; it takes precedence over ${fileName(ours.path)}${use}`, {
    fix: `Rename-Item ${quote(first.path)} ${quote(`${fileName(first.path)}.off`)}`,
  });
}

/** An invalid file may be the one that configures win-hcn, under another name. */
function withoutOurs(conf: string, others: readonly ConfFile[], confDir: string): Diagnosis {
  const [invalid] = others.filter(({ plugins }) => plugins.length === 0);
  if (invalid === undefined)
    return warn(`${conf}; no file configures win-hcn`, { see: `Get-ChildItem ${quote(confDir)}` });
  return fail(`${conf}; no valid file configures win-hcn, and ${fileName(invalid.path)} is invalid`, {
    see: `win-hcn config check ${quote(invalid.path)}`,
  });
}

/** Which of the other files containerd uses, and which it ignores. */
function describeOthers(others: readonly ConfFile[], { containerd, configuration }: Facts): string {
  const { maxConfNum } = containerd.folders;
  if (others.length === 0 || configuration.isGiven) return '';
  const count = maxConfNum === 0 ? others.length : Math.min(others.length, maxConfNum - 1);
  const names = others.map(({ path }) => fileName(path));
  const [used, ignored] = [names.slice(0, count), names.slice(count)];
  return [
    used.length === 0 ? '' : `; further interfaces from ${firstFew(used)} (max_conf_num is ${maxConfNum})`,
    ignored.length === 0 ? '' : `; ignored: ${firstFew(ignored)}`,
  ].join('');
}

/** Checks that the runtime and win-hcn can read the file that checks use, or if there is none, an invalid active one. */
export const validConf: Check = {
  name: 'configuration',
  diagnose: (facts) => {
    const first = firstConf(facts.configuration);
    const file = usedConf(facts) ?? (first?.plugins.length === 0 ? first : undefined);
    if (file === undefined) return [];
    const { problems, warnings } = file.report;
    const of = file === first ? '' : `${fileName(file.path)}: `;
    const see = `win-hcn config check ${quote(file.path)}`;
    if (problems.length > 0) return [fail(`${of}${firstOf(problems)}`, { see })];
    if (warnings.length > 0) return [warn(`${of}${firstOf(warnings)}`, { see })];
    return [pass(`${of}no problems`)];
  },
};

/** The first of some problems, and the number of the others. */
function firstOf([first, ...others]: readonly Diagnostic[]): string {
  const more = others.length === 0 ? '' : `; ${others.length} more`;
  return `line ${first?.line}, column ${first?.column}: ${first?.text}${more}`;
}
