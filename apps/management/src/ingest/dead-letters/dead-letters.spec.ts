import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { CHUNK_HEADERS, chunkSubject, messageId } from '@bearing/contracts/management/data/chunk-message'
import { listDeadLetters, replayDeadLetters } from '@bearing/contracts/management/data/dead-letter'
import { issueServiceClaims } from '@bearing/contracts/identity/people/user'
import type { Operation, Output, Request } from '@bearing/contracts/operation'
import { DEAD_LETTER_STREAM } from '@bearing/contracts/nats/streams'
import { MessageStore } from '@bearing/nats/message-store'
import { Clock } from '@bearing/service/ground/clock'
import { DeadLetters, SweepDeadLetters } from '@bearing/service/store/dead-letters'
import { eventually } from '@bearing/testing/eventually'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { TestManagement } from '../../testing/test-management.js'
import { chunkRetention } from './dead-letter.js'

const SILENT = { warn: () => undefined } as never // all that the sweeper says

describe('dead letters', () => {
  const management = forSuite(() => TestManagement.connect())
  const organization = forSuite(() => management.newOrganization())

  const messageOf = (projectId: string, serial: string, text: string, lengths = String(text.length)) => ({
    subject: chunkSubject({ organizationId: organization.id, projectId, serial }),
    id: messageId(randomUUID()),
    body: Buffer.from(text),
    headers: { [CHUNK_HEADERS.lengths]: lengths },
  })

  /** Stores a message as the gateway does. */
  async function put(...message: Parameters<typeof messageOf>) {
    await new MessageStore(management.connection).store(messageOf(...message))
  }

  async function callAsOperator<O extends Operation>(operation: O, request: Request<O>): Promise<Output<O>> {
    const { claims } = await management.call(issueServiceClaims, { name: 'operator', audience: 'management' })
    return management.call(operation, request, claims)
  }

  async function letterOf(serial: string): Promise<Output<typeof listDeadLetters>['data'][number]> {
    let after: number | null = 0
    while (after !== null) {
      const { data, next }: Output<typeof listDeadLetters> = await callAsOperator(listDeadLetters, { after })
      const found = data.find(({ device_serial }) => device_serial === serial)
      if (found) return found
      after = next
    }
    throw new Error('no such dead letter')
  }

  const replay = (number: number) => callAsOperator(replayDeadLetters, { numbers: [number] })

  async function newProject(id: string): Promise<void> {
    const names = { slug: id, name: id, createdAt: new Date(), createdBy: id }
    await management.database.project.create({ data: { id, organizationId: organization.id, ...names } })
  }

  it('a message that can never be read becomes one, and holds up nothing behind it', async () => {
    const projectId = randomUUID()
    await newProject(projectId)
    const [broken, whole] = [randomUUID(), randomUUID()]
    await put(projectId, broken, 'abc', '2,2')
    await put(projectId, whole, 'def')
    const letter = await eventually(() => letterOf(broken), { withinMs: 60_000, everyMs: 100 })
    expect(letter).toMatchObject({
      project_id: projectId,
      size: 3,
      reason: 'it has 3 bytes, and its header says 4',
    })
    await eventually(
      async () => {
        const where = { projectId_serial: { projectId, serial: whole } }
        expect(await management.database.device.findUnique({ where })).toMatchObject({ chunkCount: 1n })
      },
      { withinMs: 60_000, everyMs: 100 },
    )
    expect(await replay(letter.number)).toEqual({
      replayed: [],
      failed: [{ number: letter.number, reason: 'it has 3 bytes, and its header says 4' }],
    })
  })

  it('replayed, it is stored at its place in the order of its device, once, and is no dead letter any more', async () => {
    const projectId = randomUUID()
    const serial = randomUUID()
    await put(projectId, serial, 'first')
    const { number } = await eventually(() => letterOf(serial), { withinMs: 60_000, everyMs: 100 })
    expect(await replay(number)).toEqual({
      replayed: [],
      failed: [{ number, reason: 'the database rejects it' }],
    })
    await newProject(projectId)
    await put(projectId, serial, 'second')
    await eventually(
      async () => {
        const chunks = await management.database.chunk.findMany({ where: { projectId } })
        expect(chunks).toHaveLength(1)
      },
      { withinMs: 60_000, everyMs: 100 },
    )
    expect(await replay(number)).toEqual({ replayed: [number], failed: [] })
    const chunks = await management.database.chunk.findMany({
      where: { projectId },
      orderBy: [{ streamStartedAt: 'asc' }, { sequence: 'asc' }],
    })
    expect(chunks.map(({ data }) => Buffer.from(data ?? []).toString())).toEqual(['first', 'second'])
    await expect(letterOf(serial)).rejects.toThrow('no such dead letter')
    expect(await replay(number)).toMatchObject({ failed: [{ reason: 'the dead letter does not exist' }] })
    const target = `dead_letter:${String(number)}`
    expect(await management.database.auditEntry.count({ where: { target } })).toBe(1)
  })

  it('is kept no longer than its project keeps what its devices send; one that is younger, or of another project, stays', async () => {
    const [brief, kept] = [randomUUID(), randomUUID()]
    const [old, young, other] = [randomUUID(), randomUUID(), randomUUID()]
    for (const id of [brief, kept]) await newProject(id)
    const data = { projectId: brief, retentionDays: 2, changedAt: new Date() }
    await management.database.dataPolicy.create({ data })
    await put(brief, old, 'abc', '2,2')
    await put(kept, other, 'abc', '2,2')
    const { received_at } = await eventually(() => letterOf(old), { withinMs: 60_000, everyMs: 100 })
    await eventually(() => letterOf(other), { withinMs: 60_000, everyMs: 100 })
    // One day short of two, and then two days after the first one came, and half a second before the second did.
    const receivedAtMs = new Date(received_at ?? 0).getTime()
    const sweepAt = (nowMs: number) =>
      new SweepDeadLetters(
        new DeadLetters(management.connection, DEAD_LETTER_STREAM),
        chunkRetention(management.database),
        new Clock(() => nowMs),
        SILENT,
      ).sweep()
    await sweepAt(receivedAtMs + 24 * 3_600_000)
    await letterOf(old)
    await sleep(Math.max(0, receivedAtMs + 1_000 - Date.now()))
    await put(brief, young, 'abc', '2,2')
    await eventually(() => letterOf(young), { withinMs: 60_000, everyMs: 100 })
    await sweepAt(receivedAtMs + 2 * 24 * 3_600_000 + 500)
    await expect(letterOf(old)).rejects.toThrow('no such dead letter')
    await letterOf(young)
    await letterOf(other)
  })

  it('nobody but operators sees them', async () => {
    const byAdmin = await organization.admin.claims()
    await expect(management.call(listDeadLetters, {}, byAdmin)).rejects.toMatchObject({
      code: 'permission_denied',
    })
  })
})
