// kubectl, which kubectl.sh installs: its kustomize renders the manifests as kubectl apply -k does.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';

const kubectl = resolve('build/clients/kubectl');

/** Why kubectl cannot run here; undefined if it can. */
export function kubectlMissing(): string | undefined {
  return existsSync(kubectl) ? undefined : `no ${kubectl}`;
}

/** A rendered object of Kubernetes. */
export interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly [key: string]: unknown;
}

/** Renders a folder with a kustomization. */
export function render(folder: string): readonly Manifest[] {
  const printed = execFileSync(kubectl, ['kustomize', folder], { encoding: 'utf8', stdio: 'pipe' });
  return parseAllDocuments(printed).map((document) => document.toJSON());
}
