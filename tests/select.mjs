// Selects the suites of a run. Suites are named by the compiled file, relative to the root of the repository.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

/** Stages that `pnpm test` leaves out, with their folders: each takes minutes, and most need a browser, root or images. */
const FOLDERS = {
  faults: 'tests/dist/faults',
  terraform: 'tests/dist/terraform',
  pages: 'tests/dist/pages',
  hosts: 'tests/dist/hosts',
  images: 'tests/dist/images',
}
/** Of the other suites, those that start a Bearing or a Postgres of their own, most to stop or replace a part of it. */
const STACKS = 'stacks'
/** Stages with a command of their own. */
export const OWN_STAGES = [STACKS, ...Object.keys(FOLDERS)]

/**
 * Folders of journeys by what they test: they start processes, so that no import leads from a journey to the source. The
 * longest prefix of a changed file counts.
 */
const JOURNEYS = {
  'apps/cli/src': ['command-line'],
  'apps/dashboard': ['pages'],
  'apps/docs': ['pages/docs', 'documents'],
  'apps/gateway/src': ['gateway', 'authorization', 'credentials'],
  'apps/gateway/src/chunks': ['devices'],
  'apps/gateway/src/dashboard': ['pages'],
  'apps/gateway/src/geosubmit': ['location'],
  'apps/gateway/src/reference': ['documents', 'reference'],
  'apps/gateway/src/sessions': ['sign-on', 'people'],
  'apps/gateway/src/uploads': ['uploads'],
  'apps/identity/src': ['people', 'credentials', 'sign-on'],
  'apps/identity/src/credentials': ['credentials', 'authorization'],
  'apps/identity/src/introspection': ['credentials'],
  'apps/identity/src/organizations': ['tenancy', 'people'],
  'apps/identity/src/people': ['people'],
  'apps/identity/src/sso': ['sign-on'],
  'apps/location/src': ['location'],
  'apps/one/src': ['faults/one-process'],
  'apps/management/src': ['devices', 'tenancy', 'uploads', 'webhooks'],
  'apps/management/src/erasure': ['tenancy'],
  'apps/management/src/files': ['uploads'],
  'apps/management/src/ingest': ['devices'],
  'apps/management/src/tenancy': ['tenancy'],
  'apps/management/src/webhooks': ['webhooks'],
  'apps/terraform-provider/src': ['terraform'],
  deploy: ['documents', 'observability'],
  docs: ['documents'],
  prisma: ['faults/migrated', 'documents'],
  '.github': ['repository'],
}

/** @returns the pattern of Jest for the suites of these stages: `tests`, and those of {@link OWN_STAGES}; undefined: all */
export function stagePattern(stages) {
  const left = OWN_STAGES.filter((name) => !stages.has(name))
  if (!stages.has('tests'))
    return `(${OWN_STAGES.filter((name) => stages.has(name))
      .flatMap(pathsOf)
      .join('|')})`
  return left.length === 0 ? undefined : `^(?!.*(${left.flatMap(pathsOf).join('|')}))`
}

/** The folder of a stage, or its suites. */
function pathsOf(stage) {
  return stage === STACKS ? suitesWithStacks() : [`${FOLDERS[stage]}/`]
}

/** Returns the suites of the stage `stacks`. */
export function suitesWithStacks() {
  const seen = new Map()
  const folders = Object.values(FOLDERS)
  return globSync('{packages,apps,prisma,deploy,tests}/**/dist/**/*.spec.js', {
    cwd: ROOT,
    exclude: isNodeModules,
  })
    .filter(
      (suite) => !folders.some((folder) => suite.startsWith(`${folder}/`)) && existsSync(sourceOf(suite)),
    )
    .filter((suite) => reaches(join(ROOT, suite), seen, (source) => STARTS_STACK.test(source)))
}

const STARTS_STACK = /\b(stackForSuite|startStack|ownPostgres|ownNats)\(/

/** Returns suites that start no server and no other process: those of packages and apps that import nothing which does. */
export function unitSuites() {
  const seen = new Map()
  return globSync('{packages,apps}/**/dist/**/*.spec.js', { cwd: ROOT, exclude: isNodeModules }).filter(
    (suite) => existsSync(sourceOf(suite)) && !startsProcesses(join(ROOT, suite), seen),
  )
}

/** @returns the suites of what differs from the branch main: see {@link suitesOf} */
export function changedSuites() {
  const files = [
    ...output('git', ['diff', '--name-only', '--merge-base', 'main']),
    ...output('git', ['ls-files', '--others', '--exclude-standard']),
  ]
  return suitesOf(files)
}

/** Returns the suites that import any of the files (sources, relative to the root), and those {@link listedSuites} has. */
function suitesOf(files) {
  const compiled = files
    .map(compiledPath)
    .filter((path) => path.endsWith('.js') && existsSync(join(ROOT, path)))
  const suites = [...(compiled.length === 0 ? [] : importing(compiled)), ...files.flatMap(listedSuites)]
  return [...new Set(suites)].filter((suite) => existsSync(sourceOf(suite)))
}

/** Returns the suites of the wing (`apps/<app>/src/<wing>`) or package of a file, and the journeys listed for it. */
export function listedSuites(file) {
  const journeys = journeysOf(file).flatMap((name) =>
    globSync(`tests/dist/${name}{.spec.js,/**/*.spec.js}`, { cwd: ROOT }),
  )
  return [...wingOf(file), ...journeys]
}

/** Returns the path, or part of a path, of the compiled file: Jest runs compiled specs. */
export function compiledPath(path) {
  const source = relative(ROOT, resolve(path))
  const known = existsSync(join(ROOT, source)) ? source : path
  return known.replace(/(^|\/)src(\/|$)/, '$1dist$2').replace(/\.tsx?$/, '.js')
}

function sourceOf(suite) {
  return join(ROOT, suite.replace(/(^|\/)dist\//, '$1src/').replace(/\.js$/, '.ts'))
}

function importing(compiled) {
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js')
  const args = ['--experimental-vm-modules', jest, '--listTests', '--findRelatedTests', ...compiled]
  return output(process.execPath, args).map((path) => relative(ROOT, path))
}

/** The suites of the wing of a file of an app, or of its package. */
function wingOf(file) {
  const folder =
    /^apps\/[^/]+\/src\/[^/]+(?=\/)|^packages\/[^/]+\/src|^deploy\/local\/src/.exec(file)?.[0] ??
    /^apps\/[^/]+\/src/.exec(file)?.[0]
  return folder === undefined
    ? []
    : globSync(`${folder.replace(/\/src/, '/dist')}/**/*.spec.js`, { cwd: ROOT })
}

function journeysOf(file) {
  const prefixes = Object.keys(JOURNEYS).filter((prefix) => file.startsWith(`${prefix}/`))
  const [longest] = prefixes.toSorted((one, other) => other.length - one.length)
  return longest === undefined ? [] : JOURNEYS[longest]
}

function startsProcesses(file, seen) {
  return reaches(file, seen, (source) => STARTS_PROCESS.test(source))
}

const STARTS_PROCESS =
  /(?:from|import|import\() ?'(?:@bearing\/(?:testing|local|start)\/|node:(?:child_process|worker_threads)')/

/** Returns true if the text of a compiled file, or of one that it imports from its own package, is such. */
function reaches(file, seen, isSuch) {
  const known = seen.get(file)
  if (known !== undefined) return known
  seen.set(file, false)
  if (!existsSync(file)) return false
  const source = readFileSync(file, 'utf8')
  const imported = [...source.matchAll(/(?:from|import|import\() ?'(\.[^']+)'/g)].map(([, path]) => path)
  const found = isSuch(source) || imported.some((path) => reaches(resolve(dirname(file), path), seen, isSuch))
  seen.set(file, found)
  return found
}

function isNodeModules(path) {
  return path.endsWith('node_modules')
}

/** The lines that a command prints. */
function output(command, args) {
  const text = execFileSync(command, args, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return text.split('\n').filter((line) => line !== '')
}
