import { execFile } from 'node:child_process'
import { access, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../tools/root.js'

const run = promisify(execFile)
const FOLDER = join(ROOT, '.bearing', 'former')
/** Programs that run on hosts. */
const APPS = ['gateway', 'identity', 'management', 'location'].map((app) => `apps/${app}`)
/** The sources of these, for git. */
const SOURCES = [
  ...APPS,
  'prisma',
  'packages',
  ':!packages/local',
  ':!packages/testing',
  ':!packages/client',
  ':!*.spec.ts',
  ':!*.md',
]

/**
 * Builds the former version of the processes, or finds it built: the tag before this commit, or without tags the newest commit whose
 * processes are other ones.
 *
 * @param wanted another commit or tag
 * @returns the folder of its checkout; nothing where the history does not have it, as in a shallow clone
 */
export async function buildFormer(
  report: (line: string) => void,
  wanted?: string,
): Promise<string | undefined> {
  const former =
    wanted ?? (await git('describe', '--tags', '--abbrev=0', 'HEAD^')) ?? (await beforeLastChange())
  if (former === undefined) return undefined
  const commit = await git('rev-parse', '--verify', `${former}^{commit}`)
  if (commit === undefined) return undefined
  const root = join(FOLDER, commit)
  const isBuilt = join(root, '.built')
  if (
    await access(isBuilt).then(
      () => true,
      () => false,
    )
  )
    return root
  report(`building the former version, ${former} …`)
  await rm(FOLDER, { recursive: true, force: true })
  await mkdir(root, { recursive: true })
  await run('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', commit, root], { cwd: ROOT })
  await pnpm(root, 'install', '--frozen-lockfile', '--prefer-offline')
  await pnpm(root, 'build')
  await writeFile(isBuilt, '')
  return root
}

async function beforeLastChange(): Promise<string | undefined> {
  const last = await git('log', '-1', '--format=%H', 'HEAD', '--', ...SOURCES)
  return last === undefined ? undefined : await git('rev-parse', '--verify', `${last}^`)
}

/** Returns the output of git; nothing if it fails. */
async function git(...args: string[]): Promise<string | undefined> {
  const printed = await run('git', args, { cwd: ROOT }).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  )
  return printed === '' ? undefined : printed
}

async function pnpm(root: string, ...args: string[]): Promise<void> {
  await run('npx', ['--yes', 'pnpm', ...args], { cwd: root, maxBuffer: 2 ** 26 })
}
