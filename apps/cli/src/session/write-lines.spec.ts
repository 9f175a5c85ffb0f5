import { lstat, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Cli } from './cli.js'
import { UsageError } from '../ground/usage-error.js'
import { writeLines } from './write-lines.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bearing-spec-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Writes two lines, and says what came to standard output and how many lines were asked for. */
async function writing(output?: string, force = false) {
  let [stdout, asked] = ['', 0]
  const terminal = { stdout: { write: (text: string) => (stdout += text) } }
  const lines = async function* () {
    for (const line of ['one', 'two']) {
      asked++
      yield await Promise.resolve(line)
    }
  }
  // Nothing else of it is used.
  const cli = { terminal } as unknown as Cli
  const where = await writeLines(cli, { ...(output !== undefined && { output }), force }, lines()).catch(
    (error: unknown) => error,
  )
  return { where, stdout, asked }
}

const BOTH = 'one\ntwo\n'

describe('lines', () => {
  it.each([undefined, '-'])('go to standard output where that is %j', async (output) => {
    expect(await writing(output)).toEqual({ where: '', stdout: BOTH, asked: 2 })
  })

  it('go to a file that nobody else can read, and replace one only where that is meant', async () => {
    const path = join(folder, 'x.csv')
    expect(await writing(path)).toMatchObject({ where: ` to ${path}`, stdout: '' })
    expect((await lstat(path)).mode & 0o777).toBe(0o600)
    await writeFile(path, 'keep')
    const refused = await writing(path)
    expect(refused.where).toBeInstanceOf(UsageError)
    expect([refused.asked, await readFile(path, 'utf8')]).toEqual([0, 'keep'])
    await writing(path, true)
    expect(await readFile(path, 'utf8')).toBe(BOTH)
    expect(await readdir(folder)).toEqual(['x.csv'])
  })

  it('go where a link leads, which stays one', async () => {
    const [target, link] = [join(folder, 'target'), join(folder, 'link')]
    await writeFile(target, 'old')
    await symlink(target, link)
    await writing(link, true)
    expect((await lstat(link)).isSymbolicLink()).toBe(true)
    expect(await readFile(target, 'utf8')).toBe(BOTH)
  })

  it('go to a device, which stays one', async () => {
    const link = join(folder, 'null')
    await symlink('/dev/null', link)
    expect(await writing(link)).toMatchObject({ where: ` to ${link}`, asked: 2 })
    expect((await lstat(link)).isSymbolicLink()).toBe(true)
    expect((await lstat('/dev/null')).isCharacterDevice()).toBe(true)
  })

  it.each(['no/such/x.csv', '', 'dangling', 'file/x.csv'])(
    'go nowhere where no file can be, and are not asked for: %j',
    async (name) => {
      await symlink(join(folder, 'gone'), join(folder, 'dangling'))
      await writeFile(join(folder, 'file'), '')
      const { where, asked } = await writing(join(folder, name), true)
      expect(where).toBeInstanceOf(UsageError)
      expect(asked).toBe(0)
    },
  )
})
