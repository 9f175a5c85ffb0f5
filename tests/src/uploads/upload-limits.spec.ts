import { randomBytes, randomUUID } from 'node:crypto'
import { request, type ClientRequest } from 'node:http'
import { DEFAULT_DATA_POLICY } from '@bearing/contracts/management/data/data-policy'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newProject, type TestOrganization } from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import { elfFile } from '@bearing/start/demo/elf-file'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { send, type Reply } from '../tools/http.js'
import { commit, prepare, prepareAt, put, type UploadTarget } from '../tools/uploading.js'

/** Far longer than a test takes, in milliseconds: what is to be swept is made older. */
const KEPT_MS = 3_600_000

describe('limits of uploads', () => {
  let stack: Stack
  let database: pg.Client
  let own: TestOrganization
  let byKey: UploadTarget
  let byToken: UploadTarget
  let project: string

  beforeAll(async () => {
    stack = await startStack({
      oneProcess: true,
      environment: {
        management: {
          UPLOAD_MAX_BYTES: 'mar=1000,default=20000',
          ORGANIZATION_FILES_MAX_BYTES: '70000',
        },
      },
      constants: {
        gateway: { REQUEST_TIMEOUT_MS: 8_000, UPLOADS_AT_ONCE: 2 },
        management: { UPLOAD_KEPT_MS: KEPT_MS, PROJECT_FILES_SHARE: 5 / 7, CREATOR_FILES_SHARE: 8 / 7 },
      },
    })
  })

  beforeAll(async () => {
    database = new pg.Client(stack.databaseUrls.management)
    await database.connect()
  })

  beforeEach(async () => {
    own = await newOrganization(stack)
    project = `/api/v0/organizations/${own.slug}/projects/${own.project.slug}`
    const gateway = stack.gatewayUrls[0] ?? ''
    byKey = { gateway, project, credential: { kind: 'project_key', key: own.project.key } }
    byToken = { gateway, project, credential: own.token.credential }
  })

  afterAll(async () => {
    await database.end()
    await stack.stop()
  })

  const tryPrepare = (body: object, target = byKey) =>
    send(target.gateway, 'POST', prepareAt(target), { credential: target.credential, body })
  const upload = async (kind: string, size: number): Promise<Reply> => {
    const prepared = await prepare(byKey)
    const sent = await put(prepared, randomBytes(size))
    if (sent.status !== 200) throw new Error(sent.text)
    return commit(byKey, `/api/v0/upload/${kind}`, { file: { token: prepared.token } })
  }
  const fileBytes = async () => {
    const { rows } = await database.query<{ bytes: string }>(
      'SELECT file_bytes AS bytes FROM projects WHERE id = $1',
      [own.project.id],
    )
    return Number(rows[0]?.bytes)
  }
  const change = (policy: object) =>
    own.admin.client.call('changeDataPolicy', {
      organization: own.slug,
      project: own.project.slug,
      ...DEFAULT_DATA_POLICY,
      ...policy,
    })
  const TOO_LARGE = {
    status: 400,
    json: {
      code: 'upload_too_large',
      error: { message: expect.stringContaining('Uploaded file is too big') as unknown as string },
    },
  }

  const QUOTA = { resource: 'files', scope: 'project', raised_by: 'operator' }
  const EXCEEDED = { status: 507, json: { code: 'storage_quota_exceeded' } }

  it('each kind has its own: what is announced, what is put and what is committed', async () => {
    expect(await tryPrepare({ kind: 'mar', size: 1_001 })).toMatchObject(TOO_LARGE)
    const prepared = await prepare(byKey, { kind: 'mar' })
    expect(await put(prepared, randomBytes(1_001))).toMatchObject({
      status: 400,
      text: expect.stringContaining('Uploaded file is too big') as unknown as string,
    })
    // A kind that was not said may be any, and the commit says which it is.
    expect(await upload('mar', 1_001)).toMatchObject(TOO_LARGE)
    expect((await upload('mar', 1_000)).status).toBe(202)
    expect((await upload('bugreport', 1_001)).status).toBe(202)
    const any = await prepare(byKey)
    expect((await put(any, randomBytes(20_001))).status).toBe(400)
  })

  it('a project can have smaller ones of its own, and no larger ones; its uploads under way go by them too', async () => {
    const before = await prepare(byKey, { kind: 'bugreport' })
    expect((await put(before, randomBytes(600))).status).toBe(200)
    expect(await change({ file_bytes: { bugreport: 500, mar: 2_000 } })).toMatchObject({
      file_bytes: { bugreport: 500, mar: 2_000 },
    })
    expect(await commit(byKey, '/api/v0/upload/bugreport', { file: { token: before.token } })).toMatchObject(
      TOO_LARGE,
    )
    expect(await tryPrepare({ kind: 'bugreport', size: 501 })).toMatchObject(TOO_LARGE)
    expect(await tryPrepare({ kind: 'mar', size: 1_001 })).toMatchObject(TOO_LARGE)
    expect((await upload('bugreport', 500)).status).toBe(202)
    expect((await upload('coredump', 15_000)).status).toBe(202)
    await change({})
    expect((await upload('bugreport', 600)).status).toBe(202)
    for (const wrong of [{ file_bytes: { firmware: 1 } }, { file_bytes: { mar: -1 } }, { files_bytes: 0.5 }])
      await expect(change(wrong)).rejects.toMatchObject({ code: 'invalid_input' })
  })

  it('commits of one content with ever other attributes are charged, and the charge ends with the files', async () => {
    const content = randomBytes(100)
    const again = async (index: number) => {
      const prepared = await prepare(byKey)
      await put(prepared, content)
      const body = { file: { token: prepared.token }, note: `${String(index)} ${'x'.repeat(8_000)}` }
      return commit(byKey, '/api/v0/upload/coredump', body)
    }
    const replies: Reply[] = []
    for (let index = 0; index < 8; index++) replies.push(await again(index))
    // 100 bytes for the first, 9 KB for each further one, of 50 KB.
    expect(replies.map(({ status }) => status).slice(0, 6)).toEqual([202, 202, 202, 202, 202, 202])
    expect(replies.at(-1)).toMatchObject({ json: { code: 'storage_quota_exceeded' } })
    const before = await fileBytes()
    expect(before).toBeGreaterThan(40_000)
    // A true repetition is no further file, and not charged.
    expect((await again(0)).status).toBe(202)
    expect(await fileBytes()).toBe(before)
    const { data } = await own.token.client.call('listFiles', {
      organization: own.slug,
      project: own.project.slug,
    })
    for (const { id: file_id } of data)
      await own.token.client.call('deleteFile', {
        organization: own.slug,
        project: own.project.slug,
        file_id,
      })
    await eventually(async () => {
      expect(await fileBytes()).toBe(0)
    })
    expect((await again(99)).status).toBe(202)
  })

  it('so have all files of a project together; the same content counts once', async () => {
    for (let file = 0; file < 2; file++) expect((await upload('coredump', 20_000)).status).toBe(202)
    const rest = await prepare(byToken)
    const bytes = elfFile(randomBytes(20), randomBytes(9_000))
    expect((await put(rest, bytes)).status).toBe(200)
    const full = { kind: 'coredump', size: 9_900 }
    // Uploads that are not committed count as well, or they could be any number of bytes.
    const quota = { ...QUOTA, limit: 50_000, used: 40_000 + bytes.length }
    expect(await tryPrepare(full)).toMatchObject({ status: 507, json: { ...EXCEEDED.json, quota } })
    const as = (path: string) => commit(byToken, `${project}/${path}`, { file: { token: rest.token } })
    expect((await as('symbols')).status).toBe(201)
    expect(await tryPrepare(full)).toMatchObject(EXCEEDED)
    const { data } = await own.token.client.call('listFiles', {
      organization: own.slug,
      project: own.project.slug,
    })
    expect(data).toHaveLength(3)
    await change({ files_bytes: 1_000_000 })
    expect(await tryPrepare(full)).toMatchObject({ ...EXCEEDED, json: { quota: QUOTA } })
    await change({ files_bytes: 49_000 })
    expect(await tryPrepare(full)).toMatchObject({
      ...EXCEEDED,
      json: { quota: { ...QUOTA, limit: 49_000, raised_by: 'project_manager' } },
    })
  })

  it('all projects of an organization share the quota of the organization, whatever each of them has left', async () => {
    const second = await own.admin.client.call('createProject', { organization: own.slug, name: 'Second' })
    const path = `/api/v0/organizations/${own.slug}/projects/${second.slug}`
    const beside: UploadTarget = { ...byToken, project: path }
    const store = async (target: UploadTarget, size: number) => {
      const sent = await put(await prepare(target), randomBytes(size))
      expect(sent.status).toBe(200)
    }
    for (const target of [byToken, byToken, beside, beside]) await store(target, 17_000)
    const refused = await tryPrepare({ size: 3_000 }, beside)
    const quota = { ...QUOTA, scope: 'organization', limit: 70_000, used: 68_000 }
    expect(refused).toMatchObject({ status: 507, json: { code: 'storage_quota_exceeded', quota } })
    expect((await tryPrepare({ size: 2_000 }, beside)).status).toBe(200)
  })

  it('all organizations of one creator share a quota, so that free organizations cannot fill the store', async () => {
    const ownerOf = (slug: string, project: string, key: string): UploadTarget => ({
      gateway: byKey.gateway,
      project: `/api/v0/organizations/${slug}/projects/${project}`,
      credential: { kind: 'project_key', key },
    })
    const store = async (target: UploadTarget, size: number) => {
      expect((await put(await prepare(target), randomBytes(size))).status).toBe(200)
    }
    const { slug } = await own.admin.client.call('createOrganization', { name: 'Another' })
    const project = await eventually(() => newProject({ slug, admin: own.admin }))
    const second = ownerOf(slug, project.slug, project.key)
    for (const target of [byKey, byKey, second, second]) await store(target, 19_000)
    const quota = { ...QUOTA, scope: 'creator', limit: 80_000, used: 76_000 }
    for (const target of [byKey, second])
      expect(await tryPrepare({ size: 5_000 }, target)).toMatchObject({
        status: 507,
        json: { code: 'storage_quota_exceeded', quota },
      })
    const other = await newOrganization(stack)
    await store(ownerOf(other.slug, other.project.slug, other.project.key), 19_000)
  })

  it('two that are put at the same time do not come to more together', async () => {
    await change({ files_bytes: 13_000 })
    const [one, other, more] = [await prepare(byKey), await prepare(byKey), await prepare(byKey)]
    const both = [one, other]
    for (const prepared of both) expect((await put(prepared, randomBytes(6_000))).status).toBe(200)
    expect(await put(more, randomBytes(6_000))).toMatchObject({ status: 507 })
    // Putting again replaces what was put, and does not count beside it.
    expect((await put(one, randomBytes(6_000))).status).toBe(200)
    await change({ files_bytes: 10_000 })
    const replies = await Promise.all(
      both.map(({ token }) => commit(byKey, '/api/v0/upload/coredump', { file: { token } })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([202, 507])
    // Refused uploads are swept, and are no reason to refuse another one any more.
    for (const table of ['uploads', 'stored_objects'])
      await database.query(
        `UPDATE ${table} SET created_at = created_at - make_interval(secs => $2) WHERE project_id = $1`,
        [own.project.id, KEPT_MS / 1_000],
      )
    await eventually(async () => expect((await tryPrepare({ size: 4_000 })).status).toBe(200), {
      withinMs: 40_000,
    })
    expect((await tryPrepare({ size: 4_001 })).status).toBe(507)
  })

  it('where only known devices may send, files of others and of none are refused to a project key; people may commit any', async () => {
    const device_serial = `KNOWN-${randomUUID()}`
    const address = { organization: own.slug, project: own.project.slug }
    await own.token.client.call('registerDevice', { ...address, device_serial })
    await change({ known_devices_only: true })
    const from = async (target: UploadTarget, path: string, device?: object) => {
      const prepared = await prepare(target)
      await put(prepared, randomBytes(100))
      return commit(target, path, { file: { token: prepared.token }, ...(device && { device }) })
    }
    const refused = { status: 403, json: { code: 'device_not_known' } }
    const mar = '/api/v0/upload/mar'
    expect(await from(byKey, mar, { device_serial: 'OUTSIDER' })).toMatchObject(refused)
    expect(await from(byKey, mar)).toMatchObject(refused)
    expect(await tryPrepare({ device: { device_serial: 'OUTSIDER' } })).toMatchObject(refused)
    const raw = await fetch(`${byKey.gateway}/api/v0/upload/coredump`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream', 'service-project-key': own.project.key },
      body: randomBytes(100),
    })
    expect(raw.status).toBe(403)
    expect((await tryPrepare({ device: { device_serial } })).status).toBe(200)
    expect((await from(byKey, mar, { device_serial })).status).toBe(202)
    expect((await from(byToken, `${project}/mar`)).status).toBe(201)
  })

  it('a deleted file is gone with its bytes; its commit does not bring it back, and its content can be uploaded again', async () => {
    const bytes = randomBytes(100)
    const upload = async () => {
      const prepared = await prepare(byKey)
      await put(prepared, bytes)
      return () => commit(byKey, '/api/v0/upload/mar', { file: { token: prepared.token } })
    }
    const again = await upload()
    const { id } = (await again()).json?.data as { id: string }
    const address = { organization: own.slug, project: own.project.slug, file_id: id }
    await own.token.client.call('deleteFile', address)
    await expect(own.token.client.call('deleteFile', address)).rejects.toMatchObject({
      code: 'file_not_found',
    })
    expect((await again()).status).toBe(404)
    const objects = async () => {
      const text = 'SELECT FROM stored_objects WHERE project_id = $1'
      return (await database.query(text, [own.project.id])).rowCount
    }
    // Earlier than what nobody has committed.
    await eventually(async () => expect(await objects()).toBe(0), { everyMs: 50 })
    const second = await (await upload())()
    expect(second.status).toBe(202)
    expect((second.json?.data as { id: string }).id).not.toBe(id)
    await eventually(async () => {
      const { data } = await own.admin.client.call('listAuditEntries', { organization: own.slug })
      expect(data).toContainEqual(expect.objectContaining({ action: 'file.deleted', target: `file:${id}` }))
    })
  })

  it('as many as a gateway takes at the same time; more are 503, and who sends nothing any more makes room', async () => {
    const slow = await Promise.all([begin(await prepare(byKey)), begin(await prepare(byKey))])
    const prepared = await prepare(byKey)
    // Once the gateway has taken both on.
    await eventually(async () => {
      const refused = await put(prepared, randomBytes(10))
      expect([refused.status, Number(refused.retryAfter)]).toEqual([503, 5])
    })
    // Other requests are not held up.
    expect((await tryPrepare({})).status).toBe(200)
    await Promise.all(slow.map(({ ended }) => ended))
    await eventually(async () => expect((await put(prepared, randomBytes(10))).status).toBe(200))
    expect((await commit(byKey, '/api/v0/upload/mar', { file: { token: prepared.token } })).status).toBe(202)
  })

  it('an organization that has all places gives one to another one, whose outsiders have none', async () => {
    const other = await newOrganization(stack)
    const gateway = stack.gatewayUrls[0] ?? ''
    const wrong = `${gateway}/api/v0/uploads/${'A'.repeat(76)}`
    const outsiders = await Promise.all([1, 2, 3].map(() => begin({ upload_url: wrong })))
    const slow = [await begin(await prepare(byKey)), await begin(await prepare(byKey))]
    const dripping = slow.map(({ drip }) => setInterval(drip, 500))
    const third = await prepare(byKey)
    await eventually(async () => expect((await put(third, randomBytes(10))).status).toBe(503))
    const theirs = { ...byKey, credential: { kind: 'project_key', key: other.project.key } as const }
    expect((await put(await prepare(theirs), randomBytes(10))).status).toBe(200)
    // One of the two was ended for it, with an error; the other one continues.
    dripping.forEach((timer) => clearInterval(timer))
    slow.forEach(({ finish }) => finish())
    const statuses = await Promise.all(slow.map(({ status }) => status))
    expect(statuses.sort()).toEqual([200, 503])
    outsiders.forEach(({ sending }) => sending.destroy())
  })

  it('what is on its way counts for the room of its project, until it has broken off', async () => {
    await change({ files_bytes: 15_000 })
    const coming = await begin(await prepare(byKey))
    const dripping = setInterval(coming.drip, 500)
    const small = await prepare(byKey)
    await eventually(async () =>
      expect(await put(small, randomBytes(6_000))).toMatchObject({ status: 503, retryAfter: '5' }),
    )
    expect(await tryPrepare({ size: 6_000 })).toMatchObject({ status: 503, json: { code: 'overloaded' } })
    expect(await tryPrepare({ size: 15_001 })).toMatchObject(EXCEEDED)
    expect((await put(small, randomBytes(5_000))).status).toBe(200)
    clearInterval(dripping)
    coming.sending.destroy()
    await eventually(async () => expect((await put(small, randomBytes(10_000))).status).toBe(200))
  })

  it('who does not say how much it will be may put half of what there is room for, so that others may put theirs meanwhile', async () => {
    await change({ files_bytes: 10_000 })
    const unknown = async (size: number) =>
      fetch((await prepare(byKey)).upload_url, {
        method: 'PUT',
        body: new Blob([randomBytes(size)]).stream(),
        duplex: 'half',
      })
    expect((await unknown(5_001)).status).toBe(400)
    await eventually(async () => expect((await unknown(5_000)).status).toBe(200))
    expect((await unknown(2_501)).status).toBe(400)
    await eventually(async () => expect((await unknown(2_500)).status).toBe(200))
    const rest = await prepare(byKey, { size: 2_500 })
    expect((await put(rest, randomBytes(2_500))).status).toBe(200)
  })

  it('counts in the row of a project are those of its objects after everything that happened to them', async () => {
    const { rows } = await database.query<{ counted: string; summed: string }>(`
      SELECT concat_ws(' ', p.file_bytes, p.uncommitted_bytes, p.coming_bytes) AS counted,
        concat_ws(' ', coalesce(sum(o.size) FILTER (WHERE o.kept IS NOT NULL), 0),
          coalesce(sum(o.size) FILTER (WHERE o.kept IS NULL AND o.sha256 IS NOT NULL), 0),
          coalesce(sum(o.size) FILTER (WHERE o.sha256 IS NULL AND NOT o.leaving), 0)) AS summed
      FROM projects p LEFT JOIN stored_objects o ON o.project_id = p.id GROUP BY p.id`)
    expect(rows.some(({ counted }) => counted !== '0 0 0')).toBe(true)
    expect(rows.map(({ counted }) => counted)).toEqual(rows.map(({ summed }) => summed))
  })
})

/** Begins to put 10,000 bytes, and stops after 5,000; more comes drop by drop, or all that is left. */
async function begin({ upload_url }: { upload_url: string }) {
  const sending: ClientRequest = request(upload_url, {
    method: 'PUT',
    headers: { 'content-length': 10_000 },
    agent: false,
  })
  const ended = new Promise<void>((resolve) => {
    sending.on('error', () => undefined)
    sending.once('close', resolve)
  })
  const status = new Promise<number | undefined>((resolve) => {
    sending.once('response', (response) => {
      response.resume()
      resolve(response.statusCode)
    })
  })
  await new Promise<void>((resolve) => sending.write(randomBytes(5_000), () => resolve()))
  let left = 5_000
  const drip = () => {
    left--
    sending.write('x')
  }
  return { sending, ended, status, drip, finish: () => sending.end(randomBytes(left)) }
}
