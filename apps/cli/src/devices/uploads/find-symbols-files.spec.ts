import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { create } from 'tar'
import { elf, zip } from '../../testing/archives.js'
import { UsageError } from '../../ground/usage-error.js'
import { chooseSymbols } from './upload-symbols.js'
import { findSymbolsFiles, type SymbolsFile } from './find-symbols-files.js'
import { TemporaryFolder } from './spool-symbols.js'

describe('finding symbols', () => {
  let directory: string
  let folder: TemporaryFolder
  const ids = Array.from({ length: 4 }, () => randomBytes(20))
  const [one, two, three] = ids.map((id) => elf(id, 70_000))
  const idsOf = (files: readonly SymbolsFile[]) => files.map(({ buildId }) => buildId)

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'bearing-elf-'))
    folder = new TemporaryFolder()
    await mkdir(join(directory, 'build', 'deep'), { recursive: true })
    await writeFile(join(directory, 'build', 'a.elf'), one ?? '')
    await writeFile(join(directory, 'build', 'deep', 'b'), two ?? '')
    await writeFile(join(directory, 'build', 'notes.txt'), 'neither -> symbols')
    await writeFile(join(directory, 'build', 'empty'), '')
  })

  afterEach(async () => {
    await folder[Symbol.asyncDispose]()
    await rm(directory, { recursive: true })
  })

  const find = async (...paths: string[]): Promise<SymbolsFile[]> => {
    const found: SymbolsFile[] = []
    for await (const file of findSymbolsFiles(paths, folder, new AbortController().signal)) found.push(file)
    return found
  }

  it('looks into folders, at all depths, and follows no symbolic link there', async () => {
    await symlink('..', join(directory, 'build', 'deep', 'up'))
    await symlink('../a.elf', join(directory, 'build', 'deep', 'same'))
    expect(idsOf(await find(join(directory, 'build')))).toEqual([
      ids[0]?.toString('hex'),
      ids[1]?.toString('hex'),
    ])
  })

  it.each(['archive.zip', 'archive.tar', 'archive.tar.gz'])(
    'unpacks those of %s, each under a name of its own, which only this user can read',
    async (name) => {
      const path = join(directory, name)
      if (name.endsWith('.zip'))
        await writeFile(
          path,
          zip({
            'build/a.elf': one ?? Buffer.alloc(0),
            'build/b': two ?? Buffer.alloc(0),
            't.txt': Buffer.from('no'),
          }),
        )
      else await create({ file: path, cwd: directory, gzip: name.endsWith('.gz') }, ['build'])
      const found = await find(path)
      expect(new Set(idsOf(found))).toEqual(new Set([ids[0]?.toString('hex'), ids[1]?.toString('hex')]))
      expect(found.map((file) => file.name).sort()[0]).toBe(`${path}:build/a.elf`)
      for (const file of found) {
        const content = await readFile(file.path)
        expect([one, two].some((same) => same?.equals(content))).toBe(true)
        expect((await stat(file.path)).mode & 0o777).toBe(0o600)
        expect((await stat(dirname(file.path))).mode & 0o777).toBe(0o700)
      }
      const unpackedInto = dirname(found[0]?.path ?? '')
      await folder[Symbol.asyncDispose]()
      await expect(stat(unpackedInto)).rejects.toThrow('ENOENT')
    },
  )

  it('an entry cannot choose where it goes', async () => {
    const path = join(directory, 'hostile.zip')
    await writeFile(
      path,
      zip({ 'a..elf': one ?? Buffer.alloc(0), 'a/\u001b[2J.elf': two ?? Buffer.alloc(0) }),
    )
    const found = await find(path)
    expect(found).toHaveLength(2)
    expect(await readdir(dirname(found[0]?.path ?? ''))).toEqual(['0', '1'])
    const climbing = join(directory, 'climbing.zip')
    await writeFile(climbing, zip({ '../../../tmp/evil.elf': one ?? Buffer.alloc(0) }))
    await expect(find(climbing)).rejects.toThrow(UsageError)
  })

  it.each([
    ['a zip archive that is cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 30)],
    ['a zip archive whose entries lie about their size', (bytes: Buffer) => lying(bytes)],
  ])('%s is no archive', async (_, damage) => {
    const path = join(directory, 'damaged.zip')
    await writeFile(path, damage(zip({ a: one ?? Buffer.alloc(0) })))
    await expect(find(path)).rejects.toThrow(UsageError)
  })

  it('a tar archive that is cut off, or only looks compressed, is no archive', async () => {
    const path = join(directory, 'whole.tar.gz')
    await create({ file: path, cwd: directory, gzip: true }, ['build'])
    const whole = await readFile(path)
    for (const bytes of [
      whole.subarray(0, 200),
      gzipSync(randomBytes(5_000)),
      Buffer.from([0x1f, 0x8b, 1, 2, 3]),
    ]) {
      const damaged = join(directory, 'damaged.tar.gz')
      await writeFile(damaged, bytes)
      await expect(find(damaged)).rejects.toThrow(UsageError)
    }
  })

  it('what is named has to be something', async () => {
    await expect(find(join(directory, 'build', 'notes.txt'))).rejects.toThrow('not an ELF file')
    await expect(find(join(directory, 'nothing'))).rejects.toThrow('ENOENT')
  })

  it('of files with the same build id the largest is chosen; those without one are reported', async () => {
    const build = join(directory, 'build')
    await writeFile(join(build, 'a.debug'), elf(ids[0] ?? Buffer.alloc(0), 90_000))
    await writeFile(join(build, 'c'), elf(Buffer.alloc(1)))
    await writeFile(join(build, 'd'), three ?? '')
    const { files, before } = chooseSymbols(await find(build), false)
    expect(files.map(({ name }) => name.slice(build.length + 1)).sort()).toEqual(['a.debug', 'd', 'deep/b'])
    expect(before).toMatchObject([
      { file: join(build, 'a.elf'), outcome: 'skipped', reason: 'same_build_id' },
      { file: join(build, 'c'), outcome: 'skipped', reason: 'no_build_id' },
    ])
  })

  it('ProGuard mappings are found in folders and archives, also those that begin with long comments', async () => {
    const comments = '# compiler: R8\n'.repeat(200)
    const mapping = Buffer.from(`${comments}com.example.Main -> a.a:\n    int counter -> a\n`)
    const long = Buffer.concat([mapping, Buffer.alloc(20_000, '    int counter -> a\n')])
    const [path, packed, tar] = ['mapping.txt', 'mapping.zip', 'mapping.tar.gz'].map((name) =>
      join(directory, name),
    ) as [string, string, string]
    await writeFile(path, mapping)
    await writeFile(join(directory, 'build', 'long.txt'), long)
    await writeFile(packed, zip({ 'a/mapping.txt': mapping, 'b/long.txt': long, c: Buffer.from('a -> b') }))
    await create({ file: tar, cwd: directory, gzip: true }, ['mapping.txt', 'build/long.txt'])
    const found = await find(path, packed, tar)
    expect(await Promise.all(found.map((file) => readFile(file.path)))).toEqual(
      [mapping, mapping, long, mapping, long].map((bytes) => Buffer.from(bytes)),
    )
    expect(found).toEqual(
      found.map(
        (file) => expect.objectContaining({ ...file, buildId: undefined, isObject: false }) as unknown,
      ),
    )
    expect(await find(join(directory, 'build'))).toHaveLength(3)
  })

  it('files without a build id are uploaded by their software version, object files never', async () => {
    const program = elf(Buffer.alloc(1))
    program.writeUInt16LE(2, 16)
    const object = Buffer.from(program)
    object.writeUInt16LE(1, 16)
    const build = join(directory, 'build')
    await writeFile(join(build, 'program'), program)
    await writeFile(join(build, 'program.o'), object)
    const { files, before } = chooseSymbols(await find(build), true)
    expect(files.map(({ name }) => name.slice(build.length + 1))).toEqual(['a.elf', 'deep/b', 'program'])
    expect(before).toMatchObject([{ file: join(build, 'program.o'), reason: 'no_build_id' }])
  })
})

/** The central directory says one byte less than there is. */
function lying(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  const at = copy.indexOf('PK\u0001\u0002')
  copy.writeUInt32LE(copy.readUInt32LE(at + 24) - 1, at + 24)
  return copy
}
