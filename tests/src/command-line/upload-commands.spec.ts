import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newMember, newOrganization } from '@bearing/testing/factories'
import { elfFile } from '@bearing/start/demo/elf-file'
import { folderForSuite, forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { bearing, type Ended } from '../tools/bearing.js'
import { sdkElfFile } from '../tools/uploading.js'

interface Summary {
  uploaded: number
  skipped: number
  failed: number
  files: {
    file: string
    outcome: string
    reason: string | null
    id: string | null
    gnu_build_id: string | null
  }[]
}

describe('bearing, for files', () => {
  const own = forSuite(() => newOrganization())
  const directory = folderForSuite()
  const asProject = () => ({ BEARING_ORG_TOKEN: undefined, BEARING_PROJECT_KEY: own.project.key })
  const summary = (ended: Ended) => JSON.parse(ended.stdout) as Summary
  const write = async (name: string, content: Buffer) => {
    const path = join(directory, name)
    await writeFile(path, content)
    return path
  }

  it('uploads coredumps with each of the three credentials, lists, shows and downloads them', async () => {
    const member = await newMember(own, 'member', [{ project: own.project, role: 'member' }])
    const asUser = {
      BEARING_ORG_TOKEN: undefined,
      BEARING_EMAIL: member.email,
      BEARING_PASSWORD: member.apiKey,
    }
    for (const [number, credential] of [{}, asUser, asProject()].entries()) {
      const serial = `CLI-${String(number)}`
      const content = number === 1 ? elfFile(randomBytes(8), randomBytes(1_400_000)) : randomBytes(1_300_000)
      const file = await write(`core-${String(number)}`, content)
      const uploaded = await bearing(
        own,
        ['coredumps', 'upload', file, '--device', serial, '--json'],
        credential,
      )
      expect(uploaded).toMatchObject({ code: 0, stderr: '' })
      const [one] = summary(uploaded).files
      expect(one).toMatchObject({ file, outcome: 'uploaded' })

      const listed = await bearing(own, ['coredumps', 'list', '--device', serial, '--json'])
      expect(JSON.parse(listed.stdout)).toMatchObject([
        {
          id: one?.id,
          kind: number === 1 ? 'elf_coredump' : 'coredump',
          name: `core-${String(number)}`,
          device_serial: serial,
        },
      ])
      const shown = await bearing(own, ['coredumps', 'show', one?.id ?? ''])
      expect(shown.stdout).toContain(createHash('sha256').update(content).digest('hex'))
      const into = join(directory, `got-${String(number)}`)
      const get = ['coredumps', 'download', one?.id ?? '', '--output', into]
      expect(await bearing(own, get)).toMatchObject({ code: 0 })
      expect((await readFile(into)).equals(content)).toBe(true)
      expect((await stat(into)).mode & 0o777).toBe(0o600)
      expect(await bearing(own, get)).toMatchObject({ code: 2 })
      expect(await bearing(own, [...get, '--force'])).toMatchObject({ code: 0 })
      const remove = ['coredumps', 'delete', one?.id ?? '']
      expect(await bearing(own, remove, asProject())).toMatchObject({ code: 1 })
      expect(await bearing(own, remove)).toMatchObject({ code: 0 })
      expect(await bearing(own, remove)).toMatchObject({ code: 1 })
    }
    expect((await readdir(directory)).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  it('does not upload again what the project has; a project key may not look, and makes no second file', async () => {
    const file = await write('twice', randomBytes(500))
    const upload = ['coredumps', 'upload', file, '--device', 'TWICE', '--json']
    const first = summary(await bearing(own, upload))
    expect(summary(await bearing(own, upload))).toMatchObject({
      uploaded: 0,
      skipped: 1,
      files: [{ outcome: 'skipped', reason: 'already_there', id: first.files[0]?.id }],
    })
    expect(summary(await bearing(own, upload, asProject()))).toMatchObject({
      uploaded: 1,
      files: [{ id: first.files[0]?.id }],
    })
    const asKind = await bearing(own, [...upload, '--kind', 'elf_coredump'])
    expect(summary(asKind)).toMatchObject({ uploaded: 1 })
  })

  it('the same content under another name is uploaded as another file', async () => {
    const content = randomBytes(500)
    const [one, same] = await Promise.all([write('content-1', content), write('content-2', content)])
    const upload = (...files: string[]) => bearing(own, ['coredumps', 'upload', ...files], asProject())
    expect(await upload(one)).toMatchObject({ code: 0 })
    expect(summary(await upload(same, '--json'))).toMatchObject({ uploaded: 1, failed: 0 })
  })

  it('a mistyped name is reported before anything is sent; a wrong credential ends all', async () => {
    const file = await write('unsent', randomBytes(500))
    expect(await bearing(own, ['coredumps', 'upload', file, join(directory, 'not-there')])).toMatchObject({
      code: 2,
    })
    const wrong = { BEARING_ORG_TOKEN: undefined, BEARING_PROJECT_KEY: '0'.repeat(32) }
    expect(await bearing(own, ['coredumps', 'upload', file, '--json'], wrong)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('project_key_invalid') as unknown as string,
    })
    const unreachable = { BEARING_URL: 'http://127.0.0.1:9' }
    expect((await bearing(own, ['coredumps', 'upload', file], unreachable)).code).toBe(3)
    const { stdout } = await bearing(own, ['coredumps', 'list'])
    expect(stdout).not.toContain('unsent')
  })

  it('uploads the symbols of a folder, some at a time, and only once', async () => {
    const folder = join(directory, 'build')
    await mkdir(folder)
    const ids = Array.from({ length: 12 }, () => randomBytes(20))
    for (const [i, id] of ids.entries())
      await writeFile(join(folder, `${String(i)}.elf`), elfFile(id, randomBytes(100_000 * (i + 1))))
    await writeFile(join(folder, 'stripped'), elfFile(ids[3] ?? Buffer.alloc(0)))
    await writeFile(join(folder, 'README'), 'nothing')
    const upload = (...more: string[]) =>
      bearing(own, ['symbols', 'upload', folder, '--json', '--jobs', '5', ...more])
    const first = await upload()
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(summary(first)).toMatchObject({ uploaded: 12, skipped: 1, failed: 0 })
    const { gnu_build_id, id } = summary(first).files.find(({ file }) => file.endsWith('/7.elf')) ?? {}
    expect(gnu_build_id).toBe(ids[7]?.toString('hex'))
    const again = summary(await upload())
    expect(again).toMatchObject({ uploaded: 0, skipped: 13 })
    expect(again.files.find(({ file }) => file.endsWith('/7.elf'))).toMatchObject({
      id,
      reason: 'already_there',
    })
    const larger = elfFile(ids[7] ?? Buffer.alloc(0), randomBytes(2_000_000))
    await writeFile(join(folder, '7.elf'), larger)
    expect(summary(await upload('--force'))).toMatchObject({ uploaded: 12, skipped: 1 })
    const found = await own.token.client.call('findSymbols', {
      organization: own.slug,
      project: own.project.slug,
      gnu_build_id: ids[7]?.toString('hex') ?? '',
    })
    expect(found.size).toBe(larger.length)
  })

  it('uploads the same symbols as the API takes: with the build id of the firmware SDK, and by software version', async () => {
    const folder = join(directory, 'firmware')
    await mkdir(folder)
    const id = randomBytes(20)
    const unpatched = sdkElfFile(Buffer.from(`01${'00'.repeat(19)}`, 'hex'))
    await writeFile(join(folder, 'sdk.elf'), sdkElfFile(id))
    await writeFile(join(folder, 'unpatched.elf'), unpatched)
    await writeFile(join(folder, 'mapping.txt'), '# compiler: R8\ncom.example.Main -> a.a:\n')
    const upload = async (...more: string[]) => {
      const ended = await bearing(own, ['symbols', 'upload', folder, '--json', ...more])
      const { files, ...counts } = summary(ended)
      const outcomes = files.map(({ file, ...rest }) => [file.slice(folder.length + 1), rest] as const)
      return { ...counts, files: Object.fromEntries(outcomes) }
    }
    const noBuildId = { outcome: 'skipped', reason: 'no_build_id' }
    expect(await upload()).toMatchObject({
      ...{ uploaded: 1, skipped: 2, failed: 0 },
      files: {
        'sdk.elf': { outcome: 'uploaded', gnu_build_id: id.toString('hex') },
        'unpatched.elf': noBuildId,
        'mapping.txt': noBuildId,
      },
    })
    const version = (number: string) => ['--software-type', 'com.example.app', '--software-version', number]
    expect(await upload(...version('1.0'))).toMatchObject({ uploaded: 2, skipped: 1, failed: 0 })
    const there = { outcome: 'skipped', reason: 'already_there' }
    expect(await upload(...version('1.0'))).toMatchObject({
      uploaded: 0,
      files: { 'sdk.elf': there, 'unpatched.elf': there, 'mapping.txt': there },
    })
    expect(await upload(...version('1.1'))).toMatchObject({ uploaded: 2, skipped: 1 })
    const { data } = await own.token.client.call('listFiles', {
      ...{ organization: own.slug, project: own.project.slug, kind: 'symbols' },
      ...{ software_type: 'com.example.app', software_version: '1.1' },
    })
    expect(data.map(({ name }) => name).sort()).toEqual(['mapping.txt', 'unpatched.elf'])
    const half = await bearing(own, ['symbols', 'upload', folder, '--software-version', '1'])
    expect(half).toMatchObject({ code: 2 })
  })

  it('symbols are nothing for a project key, whatever has no build id is nothing for symbols', async () => {
    const file = await write('some.elf', elfFile(randomBytes(20)))
    expect(await bearing(own, ['symbols', 'upload', file], asProject())).toMatchObject({ code: 2 })
    const none = await write('none.elf', elfFile(randomBytes(1)))
    const skipped = await bearing(own, ['symbols', 'upload', none, '--json'])
    expect(summary(skipped)).toMatchObject({ uploaded: 0, files: [{ reason: 'no_build_id' }] })
    expect((await bearing(own, ['symbols', 'upload', file, '--jobs', '17'])).code).toBe(2)
  })
})
