// `pnpm lint`: runs ESLint on every package that changed since it last passed. Types come from `dist`, so build first.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const CACHE = join(ROOT, 'node_modules', '.cache', 'lint')
const ESLINT = join(ROOT, 'node_modules', 'eslint', 'bin', 'eslint.js')
/** Fewer collections of short-lived syntax trees. */
const NODE_FLAGS = ['--min-semi-space-size=64', '--max-semi-space-size=64']
/** These are linted in one process each; the others are small, so that one process can have several, below 1.5 GiB. */
const LARGE = ['apps/*', 'tests', 'bench', '{.,deploy,apps/docs}/*.{mjs,cjs,js}']
const SMALL_TOGETHER = 4

const large = LARGE.flatMap((pattern) => (pattern === 'apps/*' ? packagesOf(pattern) : [pattern]))
const small = packagesOf('{packages/*,prisma,deploy/local}')
const groups = [
  ...large.map((path) => [path]),
  ...Array.from({ length: Math.ceil(small.length / SMALL_TOGETHER) }, (_, index) =>
    small.slice(index * SMALL_TOGETHER, (index + 1) * SMALL_TOGETHER),
  ),
]
/** Rules, versions and Node: if one changes, everything is linted again. */
const COMMON = ['eslint.config.mjs', 'tsconfig.base.json', 'pnpm-lock.yaml', 'tests/lint.mjs']

mkdirSync(CACHE, { recursive: true })
for (const group of groups) {
  const record = join(CACHE, `${group.join('+').replaceAll(/[^a-z+]/g, '-')}`)
  const key = fingerprint(group)
  if (existsSync(record) && readFileSync(record, 'utf8') === key) continue
  const { status } = spawnSync(process.execPath, [...NODE_FLAGS, ESLINT, ...group], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  if (status === 0) writeFileSync(record, key)
  else process.exitCode = 1
}

function packagesOf(pattern) {
  return globSync(`${pattern}/tsconfig.json`, { cwd: ROOT }).map(dirname).toSorted()
}

/** Identifies all that ESLint reads of a group: its files, and the types of the packages that they use. */
function fingerprint(group) {
  const types = new Set()
  // Some packages contain another one.
  for (const path of group) for (const part of packagesOf(`${path}/**`)) addReferences(part, types)
  const files = [
    ...COMMON,
    ...group.flatMap((path) => filesOf(path.includes('*') ? path : `${path}/**/*.{ts,tsx,mjs,cjs,json}`)),
    ...[...types].flatMap((path) => filesOf(`${path}/dist/**/*.d.ts`)),
  ]
  const hash = createHash('sha256').update(process.version)
  for (const file of files.toSorted()) hash.update(`\0${file}\0`).update(readFileSync(join(ROOT, file)))
  return hash.digest('hex')
}

function filesOf(pattern) {
  const isTypes = pattern.includes('/dist/')
  return globSync(pattern, {
    cwd: ROOT,
    exclude: (path) => /(^|\/)node_modules$/.test(path) || (!isTypes && /(^|\/)dist$/.test(path)),
  })
}

/** Adds the packages that a package references, directly or not. */
function addReferences(path, found) {
  const file = join(ROOT, path, 'tsconfig.json')
  if (!existsSync(file)) return
  for (const { path: to } of JSON.parse(readFileSync(file, 'utf8')).references ?? []) {
    const reference = relative(ROOT, resolve(ROOT, path, to))
    if (found.has(reference)) continue
    found.add(reference)
    addReferences(reference, found)
  }
}
