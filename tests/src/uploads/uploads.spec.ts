import { Buffer } from 'node:buffer'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization, newProject } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { elfFile } from '@bearing/start/demo/elf-file'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { basic, send } from '../tools/http.js'
import { sendRaw } from '../tools/raw-http.js'
import { commit, md5, prepare, put, type UploadTarget } from '../tools/uploading.js'

const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown as string

describe('uploads', () => {
  const own = forSuite(() => newOrganization())
  let project: string
  let byKey: UploadTarget
  let byToken: UploadTarget
  const gateway = () => testStack().gatewayUrls[0] ?? ''

  beforeAll(() => {
    project = `/api/v0/organizations/${own.slug}/projects/${own.project.slug}`
    byKey = { gateway: gateway(), project, credential: { kind: 'project_key', key: own.project.key } }
    byToken = { gateway: gateway(), project, credential: own.token.credential }
  })

  describe.each([
    ['coredump', 'coredumps'],
    ['elf_coredump', 'elf_coredumps'],
    ['bugreport', 'bugreports'],
    ['mar', 'mar'],
    ['custom-data-recording', 'custom-data-recordings'],
  ])('of kind %s', (kind, plural) => {
    it('by a project key: prepared with an empty body, put, committed with 202', async () => {
      const bytes = randomBytes(3_000)
      const head = `POST //api/v0/upload?& HTTP/1.1\r\nHost: ${new URL(gateway()).host}\r\nService-Project-Key:${own.project.key}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`
      const prepared = await sendRaw(gateway(), head)
      expect(prepared.status).toBe(200)
      const { data } = JSON.parse(prepared.body) as { data: { upload_url: string; token: string } }
      expect(data.upload_url.startsWith(`${gateway()}/`)).toBe(true)
      expect((await put(data, bytes)).status).toBe(200)
      const file = { token: data.token, md5: md5(bytes), name: 'a file' }
      const reply = await commit(byKey, `/api/v0/upload/${kind}`, {
        file,
        device: { device_serial: 'SERIAL-1', hardware_version: 'evt' },
      })
      expect(reply.status).toBe(202)
      expect(reply.json?.data).toEqual({
        id: UUID,
        kind,
        name: 'a file',
        size: 3_000,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        device_serial: 'SERIAL-1',
        gnu_build_id: null,
        ...{ hardware_version: 'evt', software_type: null, software_version: null },
        ...{ start_time: null, duration_secs: null, mimetypes: [], reason: null },
        created_at: expect.any(String),
      })
    })

    it('by an organization token and by a user, in the project', async () => {
      const user = await newMember(own, 'member', [{ project: own.project, role: 'member' }])
      for (const credential of [own.token.credential, user.credential] as const) {
        const target: UploadTarget = { ...byToken, credential }
        const bytes = randomBytes(100)
        const prepared = await prepare(target, { kind, size: 100, device: { device_serial: 'S' } })
        expect((await put(prepared, bytes)).status).toBe(200)
        const reply = await commit(target, `${project}/${plural}`, { file: { token: prepared.token } })
        expect(reply).toMatchObject({ status: 201, json: { data: { kind, size: 100 } } })
      }
    })
  })

  it('a coredump as the body itself is answered with 202, few headers and a Content-Length', async () => {
    const bytes = randomBytes(10_000)
    const head = [
      'POST /api/v0/upload/coredump HTTP/1.1',
      `Host: ${new URL(gateway()).host}`,
      `SERVICE-PROJECT-KEY:${own.project.key}`,
      'Content-Type: application/octet-stream',
      'Content-Length: 10000',
      'Connection: close',
    ]
    const reply = await sendRaw(
      gateway(),
      Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]),
    )
    expect(reply.statusLine).toMatch(/^HTTP\/1\.1 202 /)
    expect(reply.statusLine.length).toBeLessThan(128)
    expect(reply.headers.size).toBeLessThan(10)
    expect(Number(reply.headers.get('content-length'))).toBe(reply.body.length)
    expect(reply.headers.has('transfer-encoding')).toBe(false)
    const { data } = JSON.parse(reply.body) as { data: { id: string } }
    const got = await fetch(`${gateway()}${project}/files/${data.id}/download`, {
      headers: { authorization: `Bearer ${own.token.token}` },
    })
    expect(Buffer.from(await got.arrayBuffer()).equals(bytes)).toBe(true)
  })

  it('a Basic header of ~/.netrc is ignored beside a project key, and on the PUT', async () => {
    const netrc = { authorization: basic('somebody', 'of-netrc') }
    const reply = await send(gateway(), 'POST', '/api/v0/upload', {
      credential: byKey.credential,
      headers: netrc,
    })
    expect(reply.status).toBe(200)
    const prepared = reply.json?.data as { upload_url: string; token: string }
    expect((await put(prepared, randomBytes(10), netrc)).status).toBe(200)
    const committed = await commit(
      byKey,
      '/api/v0/upload/coredump',
      { file: { token: prepared.token } },
      netrc,
    )
    expect(committed.status).toBe(202)
  })

  it('JSON with Content-Encoding: utf-8 is JSON', async () => {
    const prepared = await prepare(byKey)
    await put(prepared, randomBytes(10))
    for (const path of ['/api/v0/upload/coredump', '/api/v0/upload/mar'])
      expect(
        await commit(byKey, path, { file: { token: prepared.token } }, { 'content-encoding': 'utf-8' }),
      ).toMatchObject({ status: path.endsWith('coredump') ? 202 : 409 })
  })

  it('an unknown project key is 403, none at all 401', async () => {
    const unknown = { kind: 'project_key', key: '0'.repeat(32) } as const
    for (const [method, path] of [
      ['POST', '/api/v0/upload'],
      ['POST', '/api/v0/upload/coredump'],
      ['POST', '/api/v0/upload/mar'],
    ] as const) {
      expect((await send(gateway(), method, path, { credential: unknown })).status).toBe(403)
      expect((await send(gateway(), method, path)).status).toBe(401)
    }
  })

  it('what is put with Content-Encoding: gzip is stored as what it was, and either MD5 is the right one', async () => {
    const bytes = Buffer.from('a coredump '.repeat(100_000))
    const packed = gzipSync(bytes)
    for (const digest of [md5(bytes), md5(packed)]) {
      const content = Buffer.concat([bytes, randomBytes(8)])
      const compressed = gzipSync(content)
      const prepared = await prepare(byKey, { size: compressed.length })
      expect((await put(prepared, compressed, { 'content-encoding': 'gzip' })).status).toBe(200)
      const right = digest === md5(bytes) ? md5(content) : md5(compressed)
      const reply = await commit(byKey, '/api/v0/upload/coredump', {
        file: { token: prepared.token, md5: right },
      })
      expect(reply).toMatchObject({ status: 202, json: { data: { size: content.length } } })
    }
    const prepared = await prepare(byKey)
    for (const damaged of [packed.subarray(0, packed.length - 100), randomBytes(100)])
      expect(await put(prepared, damaged, { 'content-encoding': 'gzip' })).toMatchObject({
        status: 400,
        text: expect.stringContaining('upload_mismatch') as unknown as string,
      })
    expect((await put(prepared, packed, { 'content-encoding': 'br' })).status).toBe(415)
  })

  it('an MD5 or size that is not that of the file is 400, with error.message and error.type', async () => {
    const prepared = await prepare(byKey, { size: 11 })
    await put(prepared, randomBytes(10))
    for (const file of [{ token: prepared.token, md5: '0'.repeat(32) }, { token: prepared.token }]) {
      const reply = await commit(byKey, '/api/v0/upload/coredump', { file })
      expect(reply.status).toBe(400)
      expect(reply.json).toMatchObject({
        code: 'upload_mismatch',
        error: { message: expect.any(String), type: expect.any(String) },
      })
    }
    const right = randomBytes(11)
    expect((await put(prepared, right)).status).toBe(200)
    const file = { token: prepared.token, md5: md5(right).toUpperCase() }
    expect((await commit(byKey, '/api/v0/upload/coredump', { file })).status).toBe(202)
  })

  it('what is too large is 400 with the words that command lines look for', async () => {
    const reply = await send(gateway(), 'POST', `${project}/upload`, {
      credential: own.token.credential,
      body: { kind: 'coredump', size: 300_000_000 },
    })
    expect(reply.status).toBe(400)
    expect((reply.json?.['error'] as { message: string }).message).toContain('Uploaded file is too big')
  })

  it('a commit is idempotent; the same content from another device is another file; one upload is one file', async () => {
    const bytes = randomBytes(50)
    const target = byKey
    const once = async (device: string) => {
      const prepared = await prepare(target)
      await put(prepared, bytes)
      const body = { device: { device_serial: device }, file: { token: prepared.token } }
      return { body, reply: await commit(target, '/api/v0/upload/coredump', body) }
    }
    const first = await once('A')
    expect(first.reply.status).toBe(202)
    const again = await commit(target, '/api/v0/upload/coredump', first.body)
    expect([again.status, again.json]).toEqual([202, first.reply.json])
    const repeated = await once('A')
    expect([repeated.reply.status, repeated.reply.json]).toEqual([202, first.reply.json])
    const other = await once('B')
    expect(other.reply).toMatchObject({ status: 202, json: { data: { device_serial: 'B' } } })
    expect((other.reply.json?.data as { id: string }).id).not.toBe(
      (first.reply.json?.data as { id: string }).id,
    )
    const changed = await commit(target, '/api/v0/upload/coredump', { file: first.body.file })
    expect(changed).toMatchObject({ status: 409, json: { code: 'file_conflict' } })
  })

  it('commits of the same content at the same moment: one file for each set of attributes', async () => {
    const bytes = randomBytes(50)
    const [one, two] = await Promise.all([prepare(byKey), prepare(byKey)])
    await Promise.all([put(one, bytes), put(two, bytes)])
    const at = (token: string, name: string) => commit(byKey, '/api/v0/upload/mar', { file: { token, name } })
    const replies = await Promise.all([at(one.token, 'one'), at(two.token, 'two')])
    expect(replies).toMatchObject([{ status: 202 }, { status: 202 }])
    expect(new Set(replies.map(({ text }) => text)).size).toBe(2)
    const same = await Promise.all(Array.from({ length: 5 }, () => at(one.token, 'one')))
    expect(new Set(same.map(({ text }) => text))).toEqual(new Set([replies[0].text]))
  })

  it('the bytes can be put again until they are committed, and not after that', async () => {
    const [first, second] = [randomBytes(600_000), randomBytes(1_200_000)]
    const prepared = await prepare(byKey)
    await put(prepared, first)
    expect((await put(prepared, second)).status).toBe(200)
    const file = { token: prepared.token, md5: md5(second) }
    expect((await commit(byKey, '/api/v0/upload/coredump', { file })).status).toBe(202)
    expect((await put(prepared, first)).status).toBe(403)
  })

  it('nothing was put yet: 400', async () => {
    const { token } = await prepare(byKey)
    expect(await commit(byKey, '/api/v0/upload/mar', { file: { token } })).toMatchObject({
      status: 400,
      json: { code: 'upload_incomplete' },
    })
  })

  it('an upload address is good for that alone: changed, cut or of a commit it opens nothing', async () => {
    const prepared = await prepare(byKey)
    const at = (token: string) => put({ upload_url: `${gateway()}/api/v0/uploads/${token}` }, randomBytes(5))
    const right = prepared.upload_url.slice(prepared.upload_url.lastIndexOf('/') + 1)
    for (let place = 0; place < right.length; place += 5) {
      const other = right[place] === 'A' ? 'B' : 'A'
      const changed = right.slice(0, place) + other + right.slice(place + 1)
      expect((await at(changed)).status).toBe(403)
    }
    for (const wrong of [prepared.token, right.slice(0, -1), `${right}A`, 'x'])
      expect((await at(wrong)).status).toBe(403)
    expect(await commit(byKey, '/api/v0/upload/mar', { file: { token: right } })).toMatchObject({
      status: 404,
      json: { code: 'upload_not_found' },
    })
    expect((await at(right)).status).toBe(200)
  })

  it('files go with the device that they are from, and no repeated commit brings one back', async () => {
    const [device_serial, other] = [randomUUID(), randomUUID()]
    const address = { organization: own.slug, project: own.project.slug }
    await own.token.client.call('registerDevice', { ...address, device_serial })
    const upload = async (serial: string, bytes: Buffer) => {
      const prepared = await prepare(byToken, { kind: 'mar', size: bytes.length })
      await put(prepared, bytes)
      const again = () =>
        commit(byToken, `${project}/mar`, {
          file: { token: prepared.token },
          device: { device_serial: serial },
        })
      return { again, id: ((await again()).json?.data as { id: string }).id }
    }
    const gone = await upload(device_serial, randomBytes(50))
    const stays = await upload(other, randomBytes(50))
    expect(await own.token.client.call('deleteDevice', { ...address, device_serial })).toMatchObject({
      deleted: { files: 1 },
      left: { devices: 0, files: 0 },
    })
    const show = (file_id: string) => own.token.client.call('showFile', { ...address, file_id })
    await expect(show(gone.id)).rejects.toMatchObject({ code: 'file_not_found' })
    expect((await gone.again()).status).toBe(404)
    await expect(show(gone.id)).rejects.toMatchObject({ code: 'file_not_found' })
    expect(await show(stays.id)).toMatchObject({ device_serial: other })
  })

  it('no other project, and no other organization, can commit or see it', async () => {
    const bytes = randomBytes(20)
    const [sibling, other] = await Promise.all([newProject(own), newOrganization()])
    const prepared = await prepare(byKey)
    await put(prepared, bytes)
    const file = { token: prepared.token }
    for (const key of [sibling.key, other.project.key]) {
      const credential = { kind: 'project_key', key } as const
      expect(await commit({ ...byKey, credential }, '/api/v0/upload/mar', { file })).toMatchObject({
        status: 404,
        json: { code: 'upload_not_found' },
      })
    }
    const { json } = await commit(byKey, '/api/v0/upload/mar', { file })
    const { id } = json?.data as { id: string }
    const elsewhere = `/api/v0/organizations/${own.slug}/projects/${sibling.slug}`
    for (const tail of ['', '/download'])
      expect(
        await send(gateway(), 'GET', `${elsewhere}/files/${id}${tail}`, { credential: own.token.credential }),
      ).toMatchObject({ status: 404, json: { code: 'file_not_found' } })
    const theirs = `/api/v0/organizations/${other.slug}/projects/${other.project.slug}`
    for (const tail of ['', '/download'])
      expect(
        (await send(gateway(), 'GET', `${theirs}/files/${id}${tail}`, { credential: other.token.credential }))
          .status,
      ).toBe(404)
    // Nor does the same content there have anything to do with it.
    const mine: UploadTarget = { ...byKey, credential: { kind: 'project_key', key: sibling.key } }
    const copy = await prepare(mine)
    await put(copy, bytes)
    const committed = await commit(mine, '/api/v0/upload/mar', { file: { token: copy.token, name: 'copy' } })
    expect(committed.status).toBe(202)
  })

  it('a project key sees nothing, a reader no raw file, a member all of it', async () => {
    const bytes = randomBytes(1_100_000)
    const prepared = await prepare(byKey)
    await put(prepared, bytes)
    const { json } = await commit(byKey, '/api/v0/upload/coredump', {
      file: { token: prepared.token },
      device: { device_serial: 'DEVICE-7' },
    })
    const { id } = json?.data as { id: string }
    const reader = await newMember(own, 'member', [{ project: own.project, role: 'reader' }])
    const member = await newMember(own, 'member', [{ project: own.project, role: 'member' }])
    const list = `${project}/coredumps?per_page=5000&device_serial=DEVICE-7`
    expect((await send(gateway(), 'GET', list, { credential: byKey.credential })).status).toBe(403)
    const seen = await send(gateway(), 'GET', list, { credential: reader.credential })
    expect(seen.json?.data).toEqual([json?.data])
    const download = `${project}/files/${id}/download`
    expect((await send(gateway(), 'GET', download, { credential: reader.credential })).status).toBe(403)
    const head = await send(gateway(), 'HEAD', download, { credential: member.credential })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '1100000'])
    const got = await fetch(gateway() + download, {
      headers: { authorization: basic(member.email, member.apiKey) },
    })
    expect(got.headers.get('content-length')).toBe('1100000')
    expect(got.headers.get('content-disposition')).toBe(`attachment; filename="coredump-${id}"`)
    expect(Buffer.from(await got.arrayBuffer()).equals(bytes)).toBe(true)
    await eventually(
      async () => {
        const { data } = await own.admin.client.call('listAuditEntries', { organization: own.slug })
        const done = data.filter(({ target }) => target === `file:${id}`).map(({ action }) => action)
        expect(new Set(done)).toEqual(new Set(['file.downloaded']))
      },
      { withinMs: 10_000 },
    )
  })

  it('symbols are found by their GNU build id: 404 before, 200 after', async () => {
    const buildId = randomBytes(20)
    const bytes = elfFile(buildId, randomBytes(700_000))
    const head = () =>
      send(gateway(), 'HEAD', `${project}/symbols-by-gnu-build-id/${buildId.toString('hex').toUpperCase()}`, {
        credential: own.token.credential,
      })
    expect((await head()).status).toBe(404)
    const prepared = await prepare(byToken, { kind: 'symbols', size: bytes.length })
    await put(prepared, bytes)
    const file = { token: prepared.token, md5: md5(bytes), name: 'firmware.elf' }
    expect(await commit(byToken, `${project}/symbols`, { file })).toMatchObject({
      status: 201,
      json: { data: { kind: 'symbols', gnu_build_id: buildId.toString('hex') } },
    })
    expect((await head()).status).toBe(200)
  })

  it('what has no build id is no symbols', async () => {
    const prepared = await prepare(byToken)
    await put(prepared, randomBytes(1_000))
    expect(await commit(byToken, `${project}/symbols`, { file: { token: prepared.token } })).toMatchObject({
      status: 400,
      json: { code: 'symbols_invalid' },
    })
  })

  it('a body that is cut off is no upload', async () => {
    const prepared = await prepare(byKey)
    const { pathname } = new URL(prepared.upload_url)
    const head = `PUT ${pathname} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\nConnection: close\r\n\r\n`
    const { hostname, port } = new URL(gateway())
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(head)
        socket.write(randomBytes(600_000), () => {
          socket.destroy()
          resolve()
        })
      })
    })
    const file = { token: prepared.token }
    expect((await commit(byKey, '/api/v0/upload/mar', { file })).json).toMatchObject({
      code: 'upload_incomplete',
    })
    const bytes = randomBytes(100)
    expect((await put(prepared, bytes)).status).toBe(200)
    expect((await commit(byKey, '/api/v0/upload/mar', { file })).status).toBe(202)
  })
})
