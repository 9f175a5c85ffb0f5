import { appendFile, readFile, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { folderForSuite, forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { bearing } from '../tools/bearing.js'
import { TestDevice } from '../tools/device-data.js'
import { commit, prepare, put } from '../tools/uploading.js'

interface Line {
  readonly cursor: string
  readonly kind: string
  readonly device_serial: string
  readonly size: number
  readonly data?: string | null
}

describe('reading what all devices of a project send', () => {
  const own = forSuite(() => newOrganization())
  const folder = folderForSuite()
  const gateway = testStack().gatewayUrls[0] ?? ''

  const device = () => new TestDevice(gateway, own, own.project)
  const open = (query: string, token = own.token.token) =>
    fetch(`${gateway}/api/v0/organizations/${own.slug}/projects/${own.project.slug}/data?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    })
  const linesOf = (text: string) =>
    text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line])) // as the page of the API says
  const read = async (query = '') => linesOf(await (await open(query)).text())
  const contents = (lines: readonly Line[]) =>
    lines.map(({ data }) => Buffer.from(data ?? '', 'base64').toString())

  it('gives chunks of all devices and files, each once and with a cursor to continue from', async () => {
    const [one, other] = [device(), device()]
    await one.send('first')
    await one.stored(1)
    await other.send('second')
    await other.stored(1)
    const all = await eventually(async () => {
      const lines = await read()
      expect(lines).toHaveLength(2)
      return lines
    })
    expect(contents(all)).toEqual(['first', 'second'])
    expect(all.map(({ device_serial }) => device_serial)).toEqual([one.serial, other.serial])
    await one.send('third')
    const cursor = all[0]?.cursor ?? ''
    const rest = await eventually(async () => {
      const lines = await read(`after=${cursor}&kinds=chunk`)
      expect(lines).toHaveLength(2)
      return lines
    })
    expect(contents(rest)).toEqual(['second', 'third'])
    expect(await read(`after=${cursor}&kinds=file`)).toEqual([])
    expect((await read(`after=${cursor}&payloads=none`)).map(({ data }) => data)).toEqual([null, null])
  })

  it('answers as soon as something comes where it was asked to wait', async () => {
    const one = device()
    const { cursor = '' } = (await read()).at(-1) ?? {}
    const response = await open(`after=${cursor}&wait=30s`)
    expect(response.headers.get('content-type')).toBe('application/x-ndjson')
    await one.send('awaited')
    expect(contents(linesOf(await response.text()))).toEqual(['awaited'])
    expect((await open(`after=${cursor}&wait=31s`)).status).toBe(400)
    expect((await open('after=elsewhere')).status).toBe(400)
  })

  it('shows nothing of another project to anybody', async () => {
    const other = await newOrganization()
    expect((await open('', other.token.token)).status).toBe(404)
    const { cursor = '' } = (await read()).at(-1) ?? {}
    const theirs = new TestDevice(gateway, other, other.project)
    await theirs.send('theirs')
    await theirs.stored(1)
    expect(await read(`after=${cursor}`)).toEqual([])
  })

  it('has files of devices', async () => {
    const one = device()
    const credential = { kind: 'project_key', key: own.project.key } as const
    const target = { gateway, project: '', credential }
    const prepared = await prepare(target)
    await put(prepared, Buffer.from('core'))
    const what = { hardware_version: 'a', software_type: 'b', software_version: '1' }
    const file = { token: prepared.token }
    await commit(target, '/api/v0/upload/coredump', { file, device: { device_serial: one.serial, ...what } })
    await eventually(async () => {
      const files = (await read('kinds=file')).filter(({ device_serial }) => device_serial === one.serial)
      expect(files).toMatchObject([{ kind: 'file', size: 4 }])
    })
  })

  it('is exported by the command line, which continues where it was interrupted', async () => {
    const path = join(folder, 'data.ndjson')
    const whole = await bearing(own, ['data', 'export', '--output', path])
    expect(whole).toMatchObject({ code: 0 })
    const text = await readFile(path, 'utf8')
    const lines = text.trimEnd().split('\n')
    expect(lines.length).toBeGreaterThan(3)
    // The end of a process in the middle of a line.
    await truncate(path, Buffer.byteLength(lines.slice(0, 2).join('\n')) + 1)
    await appendFile(path, '{"cursor":"9')
    const rest = await bearing(own, ['data', 'export', '--output', path, '--resume'])
    expect(rest.stderr).toContain(`${String(lines.length - 2)} items written`)
    expect(await readFile(path, 'utf8')).toBe(text)
  })
})
