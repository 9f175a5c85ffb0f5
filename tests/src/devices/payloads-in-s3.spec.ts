import { connectTo } from '@bearing/testing/connect-to'
import { randomBytes } from 'node:crypto'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization } from '@bearing/testing/factories'
import { startStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { afterEach, describe, expect, it } from '@jest/globals'
import { TestDevice } from '../tools/device-data.js'
import { startS3 } from '../tools/s3-server.js'

/** Time in which a killed or stopped part is replaced, and what waits is stored, in milliseconds. */
const RECOVERED_MS = 90_000

describe('payloads of chunks in S3', () => {
  const s3 = forSuite(() => startS3())
  const stack = forSuite(() =>
    startStack({
      gateways: 1,
      environment: { management: { ...s3.environment, ERASURE_SETTLE_S: '1' } },
    }),
  )
  const own = forSuite(() => newOrganization(stack))
  const database = forSuite(() => connectTo(stack.databaseUrls.management))

  afterEach(() => (s3.fault = undefined))

  const device = (of = own) => new TestDevice(stack.gatewayUrls[0] ?? '', of, of.project)
  const large = () => randomBytes(20_000).toString('latin1')
  const objectsOf = async (serial: string) => {
    const { rows } = await database.query<{ object_id: string | null; bytes: number | null }>(
      `SELECT object_id, length(data) AS bytes FROM device_chunks c JOIN devices d ON d.id = c.device_id WHERE d.serial = $1
       ORDER BY c.stream_started_at, c.sequence`,
      [serial],
    )
    return rows
  }

  it('leave a place in the row, and are the same to readers', async () => {
    const one = device()
    const body = large()
    await one.send(body)
    expect(await one.stored(1)).toEqual([body])
    const [row] = await objectsOf(one.serial)
    expect(row).toEqual({ object_id: expect.any(String), bytes: null })
    expect(await s3.objects()).toContain(row?.object_id)
    const url = `${stack.gatewayUrls[0] ?? ''}/api/v0/organizations/${own.slug}/projects/${own.project.slug}/data`
    const line = await eventually(async () => {
      const reply = await fetch(url, { headers: { authorization: `Bearer ${own.token.token}` } })
      const found = (await reply.text()).split('\n').find((text) => text.includes(one.serial))
      if (found === undefined) throw new Error('it is not there yet')
      return JSON.parse(found) as { data: string } // as the page of the API says
    })
    expect(Buffer.from(line.data, 'base64').toString('latin1')).toBe(body)
  })

  it.each([
    ['stands still', () => new Promise<boolean>(() => undefined)],
    [
      'refuses everything',
      (_: unknown, response: { destroy: () => void }) => {
        response.destroy()
        return true
      },
    ],
  ])('are stored in Postgres within seconds while S3 %s: devices notice nothing', async (_, fault) => {
    s3.fault = fault
    const one = device()
    const bodies = [large(), large(), large()]
    for (const body of bodies) {
      const startedAt = performance.now()
      expect((await one.send(body)).status).toBe(202)
      expect(performance.now() - startedAt).toBeLessThan(2_000)
    }
    expect(await one.stored(3)).toEqual(bodies)
    expect((await objectsOf(one.serial)).map(({ object_id }) => object_id)).toEqual([null, null, null])
  })

  it('lose nothing that was acknowledged if management is killed while S3 comes and goes', async () => {
    const one = device()
    const bodies: string[] = []
    const over = new AbortController()
    const sending = (async () => {
      while (!over.signal.aborted) {
        const body = large()
        const reply = await one.send(body).catch(() => undefined)
        if (reply?.status === 202) bodies.push(body)
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    })()
    for (const fault of [undefined, () => new Promise<boolean>(() => undefined), undefined]) {
      s3.fault = fault
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      await stack.part('management').kill()
      await stack.part('management').start()
    }
    over.abort()
    await sending
    await one.count(bodies.length)
    expect(await one.stored(bodies.length)).toEqual(expect.arrayContaining(bodies))
  })

  it('are gone from S3 when their project is erased', async () => {
    const other = await newOrganization(stack)
    const one = device(other)
    await one.send(large())
    await one.stored(1)
    const [row] = await objectsOf(one.serial)
    expect(await s3.objects()).toContain(row?.object_id)
    const named = { organization: other.slug, project_slug: other.project.slug }
    await other.admin.client.call('deleteProject', named)
    await other.admin.client.call('eraseProject', { ...named, slug: other.project.slug })
    await eventually(
      async () => {
        expect(await s3.objects()).not.toContain(row?.object_id)
        const { rows } = await database.query('SELECT FROM chunk_objects WHERE project_id = $1', [
          other.project.id,
        ])
        expect(rows).toEqual([])
      },
      { withinMs: RECOVERED_MS },
    )
  })

  it('are gone from S3 after the only device of an object was erased', async () => {
    const one = device()
    await one.send(large())
    await one.stored(1)
    const [row] = await objectsOf(one.serial)
    await own.admin.client.call('deleteDevice', one.address)
    await eventually(async () => expect(await s3.objects()).not.toContain(row?.object_id), {
      withinMs: RECOVERED_MS,
    })
  })
})
