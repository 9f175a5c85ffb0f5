import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Files with a version, and the texts before and after it. */
const PLACES: Readonly<Record<string, readonly RegExp[]>> = {
  '{package.json,{apps,examples,packages}/*/package.json,{packages/client/nats,prisma,deploy/local,tests,bench}/package.json}':
    [/(^ {2}"version": ")[^"]+(")/m],
  'packages/contracts/src/version.ts': [/(VERSION = ')[^']+(')/],
  'deploy/helm/bearing/Chart.yaml': [/(^version: )\S+()/m, /(^appVersion: ')[^']+(')/m],
  'deploy/helm/bearing/ci/{production,everything}.yaml': [/(\btag: )\d[^\s,}]*()/],
  'deploy/kubernetes/argocd.yaml': [/(targetRevision: )\S+()/, /(\btag: )\d[^\s,}]*()/],
  'deploy/kubernetes/flux.yaml': [/(\btag: )\d[^\s,}]*()/],
  'deploy/kubernetes/cli.yaml': [/(bearing-cli:)\S+()/],
  'docs/automation.md': [/(bearing-cli-)\d.*?(\.tgz)/g, /(bearing-cli:)\S+()/],
  'docs/kubernetes.md': [/(\bTAG=)\S+()/],
  'docs/command-line.md': [/(bearing-cli-)\d.*?(\.tgz)/, /(install bearing-)\d.*?(-linux)/],
}

/** The version of this checkout: the root package.json has it, everything else repeats it. */
export function versionOf(checkout: string): string {
  const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { version: string }
  return version
}

/**
 * Returns the files that repeat the version, as they are if it is `version`.
 *
 * @returns text by path
 * @throws Error if a file has no version where it should have one
 */
export function filesWithVersion(checkout: string, version: string): Map<string, string> {
  const files = new Map<string, string>()
  for (const [glob, patterns] of Object.entries(PLACES)) {
    const paths = globSync(glob, { cwd: checkout, exclude: ['**/node_modules/**'] }).toSorted()
    const inSome = patterns.map((pattern) => {
      let isFound = false
      for (const path of paths) {
        const text = files.get(path) ?? readFileSync(join(checkout, path), 'utf8')
        isFound ||= pattern.test(text)
        files.set(path, text.replace(pattern, `$1${version}$2`))
      }
      return isFound
    })
    if (inSome.includes(false)) throw new Error(`There is no version in ${glob}.`)
  }
  return files
}
