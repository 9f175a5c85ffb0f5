import { randomBytes } from 'node:crypto'
import { request, type ClientRequest } from 'node:http'
import { BUCKET, OBJECT_STORE } from '@bearing/nats/object-subjects'
import { HEAD } from '@bearing/nats/object-store'
import { connectNats, type Connection } from '@bearing/nats/connection'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization } from '@bearing/testing/factories'
import { forSuite, stackForSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { commit, md5, prepare, put, type Prepared, type UploadTarget } from '../tools/uploading.js'

/** Longest time a client may be kept waiting, in milliseconds. */
const NO_HANG_MS = 20_000
/** Time in which everything has to work again, in milliseconds. */
const RECOVERY_MS = 60_000
const SIZE = 3_000_000
const SWEEPING = { UPLOAD_KEPT_MS: 1_000 }

describe('uploads, while something breaks', () => {
  const stack = stackForSuite({ postgres: 'own', services: ['identity', 'management'] })
  const own = forSuite(() => newOrganization(stack))
  let byKey: UploadTarget
  const bytes = randomBytes(SIZE)

  beforeAll(() => {
    byKey = {
      gateway: stack.gatewayUrls[0] ?? '',
      project: `/api/v0/organizations/${own.slug}/projects/${own.project.slug}`,
      credential: { kind: 'project_key', key: own.project.key },
    }
  })

  const at = (gateway: number): UploadTarget => ({ ...byKey, gateway: stack.gatewayUrls[gateway] ?? '' })
  const through = (gateway: number, { upload_url }: Prepared): Pick<Prepared, 'upload_url'> => ({
    upload_url: upload_url.replace(byKey.gateway, stack.gatewayUrls[gateway] ?? ''),
  })
  const mar = (target: UploadTarget, { token }: Prepared, content = bytes) =>
    commit(target, '/api/v0/upload/mar', { file: { token, md5: md5(content), name: md5(content) } })

  /** 503 with Retry-After, in time. */
  async function expectUnavailable(
    asked: Promise<{ status: number; retryAfter?: string | null; headers?: Headers }>,
  ): Promise<void> {
    const started = performance.now()
    const reply = await asked
    expect(performance.now() - started).toBeLessThan(NO_HANG_MS)
    expect(reply.status).toBe(503)
    expect(Number(reply.retryAfter ?? reply.headers?.get('retry-after'))).toBeGreaterThanOrEqual(1)
  }

  /** The upload can be put and committed, from the beginning, however it was interrupted. */
  async function expectDone(prepared: Prepared, gateway = 0): Promise<void> {
    const content = randomBytes(SIZE)
    await eventually(async () => expect((await put(through(gateway, prepared), content)).status).toBe(200), {
      withinMs: RECOVERY_MS,
      everyMs: 100,
    })
    await eventually(async () => expect((await mar(at(gateway), prepared, content)).status).toBe(202), {
      withinMs: RECOVERY_MS,
      everyMs: 100,
    })
  }

  it('a client that is killed leaves no upload, and no bytes once it is swept', async () => {
    const prepared = await prepare(byKey)
    const sending = await begin(prepared)
    sending.destroy()
    expect((await mar(byKey, prepared)).json).toMatchObject({ code: 'upload_incomplete' })
    await expectDone(prepared)
  })

  it('a gateway that is killed in the middle leaves no upload: it is put again through another one', async () => {
    const prepared = await prepare(byKey)
    const sending = await begin(prepared)
    await stack.part('gateway-1').kill()
    sending.destroy()
    expect((await mar(at(1), prepared)).json).toMatchObject({ code: 'upload_incomplete' })
    await expectDone(prepared, 1)
    await stack.part('gateway-1').start()
  })

  it('a gateway that is killed after the PUT loses nothing: it is committed through another one', async () => {
    const prepared = await prepare(byKey)
    expect((await put(prepared, bytes)).status).toBe(200)
    await stack.part('gateway-1').kill()
    const committed = await mar(at(1), prepared)
    expect(committed).toMatchObject({ status: 202, json: { data: { size: SIZE } } })
    await stack.part('gateway-1').start()
    expect((await mar(byKey, prepared)).json).toEqual(committed.json)
  })

  it.each(['management', 'nats', 'postgres'])(
    'without %s: preparing, the PUT that is under way, another one and the commit are 503, and all can be done again',
    async (part) => {
      const [ready, running, idle] = await Promise.all([prepare(byKey), prepare(byKey), prepare(byKey)])
      const content = randomBytes(SIZE)
      expect((await put(ready, content)).status).toBe(200)
      const sending = await begin(running)
      const answered = answerOf(sending)
      await stack.part(part).kill()
      sending.end(randomBytes(SIZE / 2))
      await expectUnavailable(answered)
      await expectUnavailable(put(idle, bytes))
      await expectUnavailable(mar(byKey, ready, content))
      await stack.part(part).start()
      await eventually(async () => expect((await mar(byKey, ready, content)).status).toBe(202), {
        withinMs: RECOVERY_MS,
        everyMs: 100,
      })
      await expectDone(running)
      await expectDone(idle)
    },
  )

  it('what was never committed, and what was put over, is gone from the store too; files stay', async () => {
    const kept = await prepare(byKey)
    const content = randomBytes(SIZE)
    await put(kept, bytes)
    await put(kept, content)
    const file = (await mar(byKey, kept, content)).json?.data as { id: string }
    const abandoned = await prepare(byKey)
    await put(abandoned, randomBytes(SIZE))
    const connection = await connectNats({ url: stack.natsUrl, name: 'test' })
    try {
      const { data } = await own.token.client.call('listFiles', {
        organization: own.slug,
        project: own.project.slug,
        per_page: 10_000,
      })
      // One object is one file here: no two have the same content. Of each there is one message about it, and its parts.
      expect((await objectsIn(connection)).size).toBeGreaterThan(data.length + 2)
      await stack.replace('management', {}, SWEEPING)
      await eventually(async () => expect((await objectsIn(connection)).size).toBe(data.length), {
        withinMs: RECOVERY_MS,
        everyMs: 200,
      })
    } finally {
      await connection.drain()
    }
    const got = await fetch(`${byKey.gateway}${byKey.project}/files/${file.id}/download`, {
      headers: { authorization: `Bearer ${own.token.token}` },
    })
    expect(Buffer.from(await got.arrayBuffer()).equals(content)).toBe(true)
    expect((await mar(byKey, abandoned)).json).toMatchObject({ code: 'upload_not_found' })
  })
})

/** The objects that have bytes in the store, by their ids. */
async function objectsIn(connection: Connection): Promise<Set<string>> {
  const parts = `$O.${BUCKET}.C.`
  const asked = JSON.stringify({ subjects_filter: `${parts}>` })
  const reply = await connection.raw.request(`$JS.API.STREAM.INFO.${OBJECT_STORE}`, asked, {
    timeout: 30_000,
  })
  const { state } = reply.json<{ state: { subjects?: Record<string, number> } }>()
  const objects = Object.keys(state.subjects ?? {}).map((subject) => subject.slice(parts.length))
  return new Set(objects.filter((object) => object !== HEAD))
}

/** Begins to put: half of the bytes, of which the gateway has handed some on. */
async function begin({ upload_url }: Prepared): Promise<ClientRequest> {
  const sending = request(upload_url, { method: 'PUT', headers: { 'content-length': SIZE }, agent: false })
  sending.on('error', () => undefined)
  await new Promise<void>((resolve) => sending.write(randomBytes(SIZE / 2), () => resolve()))
  await new Promise((resolve) => setTimeout(resolve, 500))
  return sending
}

function answerOf(sending: ClientRequest): Promise<{ status: number; retryAfter: string | null }> {
  return new Promise((resolve, reject) => {
    sending.once('response', (response) => {
      response.resume()
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] ?? null })
    })
    sending.once('error', reject)
  })
}
