import { randomBytes } from 'node:crypto'
import { CHUNK_STREAM, DEAD_LETTER_STREAM } from '@bearing/contracts/nats/streams'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { connectNats, type Connection } from '@bearing/nats/connection'
import { TestDevice } from '../tools/device-data.js'
import { send } from '../tools/http.js'
import { prepareAt, put, type Prepared, type UploadTarget } from '../tools/uploading.js'

const MIB = 1024 * 1024
/** Storage of NATS, in MiB: a fifth of it is for chunks that wait. */
const STORE_MIB = 64
const CHUNKS_BYTES = Math.floor((STORE_MIB * MIB) / 5)
/** The share of dead letters: 4 %. */
const DEAD_LETTER_BYTES = Math.floor((STORE_MIB * MIB) / 25)
const FILE = randomBytes(4 * MIB)
const CHUNK = randomBytes(512 * 1024)
/** More than fits into the whole store. */
const ATTEMPTS = 200

describe('the storage that all organizations share', () => {
  let stack: Stack
  let flooding: TestOrganization
  let other: TestOrganization
  let nats: Connection

  beforeAll(async () => {
    stack = await startStack({
      gateways: 1,
      services: ['identity', 'management'],
      maxFileStore: `${String(STORE_MIB)}MB`,
      // Only the streams bound what one organization stores here.
      environment: { management: { ORGANIZATION_FILES_MAX_BYTES: '0' } },
    })
    ;[flooding, other] = [await newOrganization(stack), await newOrganization(stack)]
    nats = await connectNats({ url: stack.natsUrl, name: 'shared-storage-spec' })
  })

  afterAll(async () => {
    await nats.drain()
    await stack.stop()
  })

  const newDevice = (organization: TestOrganization) =>
    new TestDevice(stack.gatewayUrls[0] ?? '', organization, organization.project)

  it('accepts chunks of an organization after the project key of another one has put as many files as are taken', async () => {
    const { key } = flooding.project
    const gateway = stack.gatewayUrls[0] ?? ''
    const target: UploadTarget = { gateway, project: '', credential: { kind: 'project_key', key } }
    const statuses: number[] = []
    for (let file = 0; file < ATTEMPTS && (statuses.at(-1) ?? 200) === 200; file++) {
      const reply = await send(gateway, 'POST', prepareAt(target), { credential: target.credential })
      statuses.push((await put(reply.json?.data as Prepared, FILE)).status)
    }
    expect(statuses.length).toBeGreaterThan(5)
    expect(statuses.at(-1)).toBe(503)
    const device = newDevice(other)
    expect(await device.send('a chunk')).toMatchObject({ status: 202 })
    expect(await device.stored(1)).toEqual(['a chunk'])
  })

  it('accepts chunks of an organization while those of another one wait, as many as are taken', async () => {
    // The gateway has to know what the project allows.
    const device = newDevice(flooding)
    expect(await device.send('a chunk')).toMatchObject({ status: 202 })
    await device.stored(1)
    await stack.part('management').kill()
    const refused = await eventually(
      async () => {
        const reply = await device.send(CHUNK)
        expect(reply.status).toBe(503)
        return reply
      },
      { withinMs: 60_000, everyMs: 50 },
    )
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    const waiting = await nats.raw.request(`$JS.API.STREAM.INFO.${CHUNK_STREAM.name}`)
    const { bytes } = waiting.json<{ state: { bytes: number } }>().state
    expect(bytes).toBeGreaterThan(CHUNKS_BYTES / 3)
    // Half of the queue, and what may have come between two looks at it.
    expect(bytes).toBeLessThan(CHUNKS_BYTES * 0.8)
    expect(await newDevice(other).send(CHUNK)).toMatchObject({ status: 202 })
    await stack.part('management').start()
    await eventually(async () => expect(await device.send(CHUNK)).toMatchObject({ status: 202 }), {
      withinMs: 60_000,
      everyMs: 500,
    })
  })

  it('refuses chunks beyond the bytes of a day of a project, and of all projects of an organization together', async () => {
    const settings = { ORGANIZATION_CHUNK_BYTES_PER_DAY: '15000' }
    await stack.replace('management', settings, { PROJECT_CHUNK_SHARE: 2 / 3 })
    const organization = await newOrganization(stack)
    const call = organization.admin.client
    const { slug } = await call.call('createProject', { organization: organization.slug, name: 'Second' })
    const { api_key: key } = await call.call('showProjectKey', {
      organization: organization.slug,
      project: slug,
    })
    const gateway = stack.gatewayUrls[0] ?? ''
    const [first, second] = [newDevice(organization), new TestDevice(gateway, organization, { slug, key })]
    const refused = { status: 503 }
    expect(await first.send(randomBytes(9_000))).toMatchObject({ status: 202 })
    expect(await first.send(randomBytes(2_000))).toMatchObject(refused)
    expect(await second.send(randomBytes(5_000))).toMatchObject({ status: 202 })
    const reply = await second.send(randomBytes(2_000))
    expect(reply).toMatchObject(refused)
    expect(reply.body).toContain('The devices of the organization have sent 15000 bytes today')
    expect(await second.send(randomBytes(900))).toMatchObject({ status: 202 })
    expect(await newDevice(other).send(randomBytes(9_000))).toMatchObject({ status: 202 })
  })

  it('stores chunks of an organization after the devices that another one has too many of have sent more than dead letters may have', async () => {
    await stack.replace('management', { DEVICES_PER_ORGANIZATION: '1' })
    const [crowded, device] = [await newOrganization(stack), newDevice(await newOrganization(stack))]
    const known = newDevice(crowded)
    expect(await known.send('a chunk')).toMatchObject({ status: 202 })
    expect(await known.stored(1)).toEqual(['a chunk'])
    for (let sent = 0; sent < 2 * DEAD_LETTER_BYTES; sent += CHUNK.length)
      expect(await newDevice(crowded).send(CHUNK)).toMatchObject({ status: 202 })
    expect(await device.send('a chunk')).toMatchObject({ status: 202 })
    expect(await device.stored(1)).toEqual(['a chunk'])
    const letters = await nats.raw.request(`$JS.API.STREAM.INFO.${DEAD_LETTER_STREAM.name}`)
    const { bytes } = letters.json<{ state: { bytes: number } }>().state
    expect(bytes).toBeGreaterThan(DEAD_LETTER_BYTES / 4)
    expect(bytes).toBeLessThan(DEAD_LETTER_BYTES)
  })
})
