import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { DEFAULT_DATA_POLICY } from '@bearing/contracts/management/data/data-policy'
import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import { elfFile } from '@bearing/start/demo/elf-file'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { bearing } from '../tools/bearing.js'
import { basic, send } from '../tools/http.js'
import { startS3, type S3Server } from '../tools/s3-server.js'
import { commit, manyNotes, md5, prepare, put, type UploadTarget } from '../tools/uploading.js'

/** Time in which a client receives an error if the storage does not answer, in milliseconds. */
const REJECTED_MS = 30_000
/** Files that management checks in S3 concurrently. */
const WAITING = 10

describe('uploads with files in S3', () => {
  let s3: S3Server
  let stack: Stack
  let own: TestOrganization
  let byKey: UploadTarget
  let byToken: UploadTarget
  let project: string
  let database: pg.Client

  beforeAll(async () => {
    s3 = await startS3()
    stack = await startStack({
      gateways: 1,
      services: ['identity', 'management'],
      environment: { management: s3.environment },
    })
    own = await newOrganization(stack)
    project = `/api/v0/organizations/${own.slug}/projects/${own.project.slug}`
    const gateway = stack.gatewayUrls[0] ?? ''
    byKey = { gateway, project, credential: { kind: 'project_key', key: own.project.key } }
    byToken = { gateway, project, credential: own.token.credential }
    database = new pg.Client(stack.databaseUrls.management)
    await database.connect()
  })

  afterEach(() => {
    s3.fault = undefined
    s3.aheadMs = 0
  })

  afterAll(async () => {
    await database.end()
    await stack.stop()
    await s3[Symbol.asyncDispose]()
  })

  const coredump = (token: string, more: object = {}) =>
    commit(byKey, '/api/v0/upload/coredump', { file: { token, ...more } })
  const download = (id: string) =>
    fetch(`${byKey.gateway}${project}/files/${id}/download`, {
      headers: { authorization: `Bearer ${own.token.token}` },
      redirect: 'manual',
    })

  it('bytes go to S3 and come from there automatically; the gateway sees none of them', async () => {
    const bytes = randomBytes(2_500_000)
    const prepared = await prepare(byKey, { size: bytes.length })
    expect(new URL(prepared.upload_url).origin).toBe(s3.url)
    expect((await put(prepared, bytes)).status).toBe(200)
    const reply = await coredump(prepared.token, { md5: md5(bytes) })
    expect(reply).toMatchObject({ status: 202, json: { data: { size: bytes.length } } })
    const { id } = reply.json?.data as { id: string }
    const asked = await download(id)
    expect([asked.status, await asked.text()]).toEqual([302, ''])
    expect(asked.headers.get('referrer-policy')).toBe('no-referrer')
    const got = await fetch(asked.headers.get('location') ?? '')
    expect(got.headers.get('content-disposition')).toBe(`attachment; filename="coredump-${id}"`)
    expect(Buffer.from(await got.arrayBuffer()).equals(bytes)).toBe(true)
    const reader = await newMember(own, 'member', [{ project: own.project, role: 'reader' }], stack)
    const refused = await fetch(`${byKey.gateway}${project}/files/${id}/download`, {
      headers: { authorization: basic(reader.email, reader.apiKey) },
      redirect: 'manual',
    })
    expect(refused.status).toBe(403)
  })

  it('symbols are read in places for their build id', async () => {
    const buildId = randomBytes(20)
    const bytes = elfFile(buildId, randomBytes(3_000_000))
    const prepared = await prepare(byToken, { kind: 'symbols', size: bytes.length })
    await put(prepared, bytes)
    const reply = await commit(byToken, `${project}/symbols`, { file: { token: prepared.token } })
    expect(reply).toMatchObject({ status: 201, json: { data: { gnu_build_id: buildId.toString('hex') } } })
  })

  it('what is compressed is known by its content, and either size and MD5 is the right one', async () => {
    for (const announced of ['packed', 'content'] as const) {
      const content = Buffer.concat([Buffer.from('a coredump '.repeat(50_000)), randomBytes(8)])
      const packed = gzipSync(content)
      const { length } = announced === 'packed' ? packed : content
      const prepared = await prepare(byKey, { size: length })
      expect((await put(prepared, packed, { 'content-encoding': 'gzip' })).status).toBe(200)
      const digest = md5(announced === 'packed' ? packed : content)
      const reply = await coredump(prepared.token, { md5: digest })
      expect(reply).toMatchObject({ status: 202, json: { data: { size: content.length } } })
      const { id } = reply.json?.data as { id: string }
      const { headers } = await download(id)
      const got = await fetch(headers.get('location') ?? '')
      expect(Buffer.from(await got.arrayBuffer()).equals(content)).toBe(true)
    }
    const elf = elfFile(randomBytes(20), Buffer.alloc(1_000_000))
    const symbols = await prepare(byToken)
    await put(symbols, gzipSync(elf), { 'content-encoding': 'gzip' })
    const read = await commit(byToken, `${project}/symbols`, {
      file: { token: symbols.token, md5: md5(elf) },
    })
    expect(read.status).toBe(201)
    const damaged = await prepare(byKey)
    await put(damaged, gzipSync(randomBytes(5_000)).subarray(0, 3_000), { 'content-encoding': 'gzip' })
    expect(await coredump(damaged.token)).toMatchObject({ status: 400, json: { code: 'upload_mismatch' } })
  })

  it('a size or MD5 that is not that of the bytes, and too many of them, are 400; the right ones can be put again', async () => {
    const bytes = randomBytes(1_000)
    const prepared = await prepare(byKey, { size: 1_001 })
    await put(prepared, bytes)
    expect(await coredump(prepared.token)).toMatchObject({ status: 400, json: { code: 'upload_mismatch' } })
    const unsized = await prepare(byKey)
    await put(unsized, bytes)
    expect(await coredump(unsized.token, { md5: '0'.repeat(32) })).toMatchObject({
      status: 400,
      json: { code: 'upload_mismatch', error: { type: expect.any(String) as unknown as string } },
    })
    const none = await prepare(byKey)
    expect(await coredump(none.token)).toMatchObject({ status: 400, json: { code: 'upload_incomplete' } })
    await stack.replace('management', {
      ...s3.environment,
      UPLOAD_MAX_BYTES: 'coredump=5000,default=5000',
    })
    try {
      const large = await prepare(byKey)
      await put(large, randomBytes(5_001))
      const refused = await coredump(large.token)
      expect(refused).toMatchObject({ status: 400, json: { code: 'upload_too_large' } })
      expect((refused.json?.['error'] as { message: string }).message).toContain('Uploaded file is too big')
      const bomb = await prepare(byKey)
      await put(bomb, gzipSync(Buffer.alloc(1_000_000)), { 'content-encoding': 'gzip' })
      expect(await coredump(bomb.token)).toMatchObject({ status: 400, json: { code: 'upload_too_large' } })
    } finally {
      await stack.replace('management', s3.environment)
    }
  })

  /** Returns the numbers of reads and copies of objects since the last call, and of rows that the project has of them. */
  async function workDone() {
    const requests = s3.requests.splice(0)
    const reads = requests.filter((request) => request.startsWith('GET ')).length
    const text = 'SELECT FROM stored_objects WHERE project_id = $1'
    const { rowCount } = await database.query(text, [own.project.id])
    return { reads, copies: requests.filter((request) => request.startsWith('PUT ')).length, rows: rowCount }
  }

  it.each<[string, () => Buffer]>([
    ['is not complete', () => gzipSync(randomBytes(500_000)).subarray(0, 400_000)],
    ['unpacks to more than is allowed', () => gzipSync(Buffer.alloc(2_000_000))],
  ])(
    'a commit of gzip that %s reads it once, however often it is repeated, and stores nothing',
    async (_, packed) => {
      await own.admin.client.call('changeDataPolicy', {
        organization: own.slug,
        project: own.project.slug,
        ...DEFAULT_DATA_POLICY,
        file_bytes: { bugreport: 1_000_000 },
      })
      const prepared = await prepare(byKey, { kind: 'bugreport' })
      await put(prepared, packed(), { 'content-encoding': 'gzip' })
      const { rows } = await workDone()
      const codes = new Set<unknown>()
      for (let attempt = 0; attempt < 10; attempt++) {
        const { status, json } = await coredump(prepared.token)
        codes.add(`${String(status)} ${String(json?.code)}`)
      }
      expect(codes.size).toBe(1)
      expect([...codes][0]).toMatch(/^400 upload_(?:mismatch|too_large)$/)
      expect(await workDone()).toEqual({ reads: 1, copies: 0, rows })
    },
  )

  it('commits of one upload at the same time read and copy it once, and all return the same file', async () => {
    const prepared = await prepare(byKey)
    await put(prepared, randomBytes(500_000))
    const { rows } = await workDone()
    const replies = await Promise.all(Array.from({ length: 10 }, () => coredump(prepared.token)))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202]))
    expect(new Set(replies.map(({ json }) => (json?.data as { id: string }).id)).size).toBe(1)
    expect(await workDone()).toEqual({ reads: 1, copies: 1, rows: (rows ?? 0) + 1 })
  })

  it('compressed symbols are read once, whatever notes they have and however often they are committed', async () => {
    const wrong = await prepare(byToken)
    await put(wrong, gzipSync(manyNotes(undefined)), { 'content-encoding': 'gzip' })
    const right = await prepare(byToken)
    const buildId = randomBytes(20)
    await put(right, gzipSync(manyNotes(buildId)), { 'content-encoding': 'gzip' })
    await workDone()
    const symbols = ({ token }: { token: string }) =>
      commit(byToken, `${project}/symbols`, { file: { token } })
    for (let attempt = 0; attempt < 3; attempt++)
      expect(await symbols(wrong)).toMatchObject({ status: 400, json: { code: 'symbols_invalid' } })
    expect((await workDone()).reads).toBe(1)
    const read = await symbols(right)
    expect(read).toMatchObject({ status: 201, json: { data: { gnu_build_id: buildId.toString('hex') } } })
    expect((await workDone()).reads).toBe(1)
  })

  it('a coredump as the body itself ends up there too', async () => {
    const bytes = randomBytes(700_000)
    const response = await fetch(`${byKey.gateway}/api/v0/upload/coredump`, {
      method: 'POST',
      headers: { 'service-project-key': own.project.key, 'content-type': 'application/octet-stream' },
      body: bytes,
    })
    expect(response.status).toBe(202)
    const { data } = (await response.json()) as { data: { id: string; size: number } }
    expect(data.size).toBe(bytes.length)
    const { headers } = await download(data.id)
    const got = await fetch(headers.get('location') ?? '')
    expect(Buffer.from(await got.arrayBuffer()).equals(bytes)).toBe(true)
  })

  it('an address is good for one object and one quarter of an hour, to put alone', async () => {
    const [prepared, other] = [await prepare(byKey), await prepare(byKey)]
    const url = prepared.upload_url
    const at = (upload_url: string) => put({ upload_url }, randomBytes(5))
    const signature = /X-Amz-Signature=([0-9a-f]+)/.exec(url)?.[1] ?? ''
    const changed = signature.slice(0, 20) + (signature[20] === '0' ? '1' : '0') + signature.slice(21)
    const otherObject = new URL(other.upload_url).pathname
    for (const wrong of [
      url.replace(signature, changed),
      url.replace('X-Amz-Expires=900', 'X-Amz-Expires=9000'),
      url.replace(new URL(url).pathname, otherObject),
      url.slice(0, url.indexOf('?')),
    ])
      expect((await at(wrong)).status).toBe(403)
    expect((await fetch(url)).status).toBe(403)
    s3.aheadMs = 15 * 60_000 + 2_000
    expect((await at(url)).status).toBe(403)
    s3.aheadMs = 0
    expect(await coredump(prepared.token)).toMatchObject({ json: { code: 'upload_incomplete' } })
    expect((await at(url)).status).toBe(200)
    expect((await coredump(prepared.token)).status).toBe(202)
  })

  it('what was committed stays what it was, although its address can still be put to', async () => {
    const bytes = randomBytes(1_000)
    const prepared = await prepare(byKey)
    await put(prepared, bytes)
    const first = await coredump(prepared.token)
    expect((await put(prepared, randomBytes(2_000))).status).toBe(200)
    const again = await coredump(prepared.token)
    expect([again.status, again.json]).toEqual([202, first.json])
    const { headers } = await download((first.json?.data as { id: string }).id)
    const got = await fetch(headers.get('location') ?? '')
    expect(Buffer.from(await got.arrayBuffer()).equals(bytes)).toBe(true)
  })

  it('what is put between the look and the copy is not taken for what was looked at', async () => {
    const [bytes, sneaked] = [randomBytes(1_000), randomBytes(1_000)]
    const prepared = await prepare(byKey)
    await put(prepared, bytes)
    s3.fault = async ({ headers }) => {
      if (!headers['x-amz-copy-source']) return false
      s3.fault = undefined
      await put(prepared, sneaked)
      return false
    }
    const first = await coredump(prepared.token, { md5: md5(bytes) })
    expect([first.status, first.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await coredump(prepared.token, { md5: md5(bytes) })).toMatchObject({
      json: { code: 'upload_mismatch' },
    })
    expect((await coredump(prepared.token, { md5: md5(sneaked) })).status).toBe(202)
  })

  it.each<[string, NonNullable<S3Server['fault']>]>([
    ['refuses connections', ({ socket }) => !!socket.destroy()],
    ['accepts and never answers', () => true],
    [
      'begins to answer and goes no further',
      (request, response) => {
        if (request.method !== 'GET') return false
        response.writeHead(200, { 'content-length': 600_000, etag: '"1"' }).flushHeaders()
        return true
      },
    ],
    ['is overloaded', (_, response) => !!response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>')],
    [
      'breaks off in the middle of a file',
      (request, response) => {
        if (request.method !== 'GET') return false
        response
          .writeHead(200, { 'content-length': 600_000, etag: '"1"' })
          .write(randomBytes(200_000), () => {
            response.destroy()
          })
        return true
      },
    ],
    [
      'breaks off the copy',
      ({ headers, socket }) => headers['x-amz-copy-source'] !== undefined && !!socket.destroy(),
    ],
  ])('where it %s, a commit is 503 and can be done again', async (_, fault) => {
    const bytes = randomBytes(600_000)
    const prepared = await prepare(byKey)
    await put(prepared, bytes)
    s3.fault = fault
    const began = performance.now()
    const refused = await coredump(prepared.token, { md5: md5(bytes) })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect(performance.now() - began).toBeLessThan(REJECTED_MS)
    s3.fault = undefined
    expect((await coredump(prepared.token, { md5: md5(bytes) })).status).toBe(202)
  })

  it('where it accepts and never answers, few of an organization wait for it: others of it are rejected immediately, and all other requests are answered', async () => {
    const prepared = await Promise.all(
      Array.from({ length: WAITING + 10 }, async () => {
        const one = await prepare(byKey)
        await put(one, randomBytes(100))
        return one
      }),
    )
    const { key } = (await newOrganization(stack)).project
    const ofAnother: UploadTarget = { ...byKey, project: '', credential: { kind: 'project_key', key } }
    const theirs = await prepare(ofAnother)
    await put(theirs, randomBytes(100))
    let waiting = 0
    s3.fault = () => ++waiting > 0
    let early = 0
    const began = performance.now()
    const commits = prepared.map(async ({ token }) => {
      const { status, headers } = await coredump(token)
      if (performance.now() - began < REJECTED_MS / 4) early++
      expect([status, Number(headers.get('retry-after')) > 0]).toEqual([503, true])
    })
    await eventually(() => expect(waiting).toBe(WAITING), { everyMs: 20 })
    const another = commit(ofAnother, '/api/v0/upload/coredump', { file: { token: theirs.token } })
    await eventually(() => expect(waiting).toBe(WAITING + 1), { everyMs: 20 })
    expect((await send(byKey.gateway, 'GET', `${project}/devices`, byToken)).status).toBe(200)
    await Promise.all([...commits, another])
    expect(performance.now() - began).toBeLessThan(2 * REJECTED_MS)
    expect(early).toBe(10)
    s3.fault = undefined
    for (const { token } of prepared.slice(0, 3)) expect((await coredump(token)).status).toBe(202)
  })

  it('an object that is gone between the look and the copy is no file', async () => {
    const prepared = await prepare(byKey)
    await put(prepared, randomBytes(1_000))
    s3.fault = ({ headers }, response) => {
      if (!headers['x-amz-copy-source']) return false
      response.writeHead(404, { 'content-type': 'application/xml' })
      response.end('<Error><Code>NoSuchKey</Code></Error>')
      return true
    }
    expect(await coredump(prepared.token)).toMatchObject({ status: 400, json: { code: 'upload_incomplete' } })
  })

  it('bearing uploads and downloads there, again where S3 is away for a moment', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'bearing-s3-cli-'))
    const gateway = { BEARING_URL: byKey.gateway }
    try {
      const [file, into] = [join(directory, 'core'), join(directory, 'got')]
      const bytes = randomBytes(1_500_000)
      await writeFile(file, bytes)
      let failures = 0
      s3.fault = ({ method, socket }) => method === 'PUT' && failures++ < 2 && !!socket.destroy()
      const uploaded = await bearing(own, ['coredumps', 'upload', file, '--json'], gateway)
      expect(uploaded).toMatchObject({ code: 0, stderr: '' })
      const { files } = JSON.parse(uploaded.stdout) as { files: { id: string }[] }
      const get = ['coredumps', 'download', files[0]?.id ?? '', '--output', into]
      expect(await bearing(own, get, gateway)).toMatchObject({ code: 0 })
      expect((await readFile(into)).equals(bytes)).toBe(true)
    } finally {
      await rm(directory, { recursive: true })
    }
  })

  it('what is not committed, and what was copied, goes from the bucket; files stay', async () => {
    const kept = randomBytes(1_000)
    const [done, abandoned] = [await prepare(byKey), await prepare(byKey)]
    await Promise.all([put(done, kept), put(abandoned, randomBytes(1_000))])
    const reply = await coredump(done.token)
    const { id } = reply.json?.data as { id: string }
    await stack.replace('management', s3.environment, { UPLOAD_KEPT_MS: 1_000 })
    const { data: files } = await own.token.client.call('listFiles', {
      organization: own.slug,
      project: own.project.slug,
    })
    // One object is one file here: no two have the same content.
    await eventually(async () => expect(await s3.objects()).toHaveLength(files.length), { withinMs: 30_000 })
    const { headers } = await download(id)
    const got = await fetch(headers.get('location') ?? '')
    expect(Buffer.from(await got.arrayBuffer()).equals(kept)).toBe(true)
    expect(await coredump(abandoned.token)).toMatchObject({ status: 404, json: { code: 'upload_not_found' } })
    expect(
      (await send(byKey.gateway, 'GET', `${project}/files`, { credential: byToken.credential })).status,
    ).toBe(200)
  })

  it('no signature and no key is in any log', () => {
    const output = stack.output()
    expect(output).not.toContain('X-Amz-Signature')
    expect(output).not.toMatch(/S3RVER/)
  })
})
