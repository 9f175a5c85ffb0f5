import { randomUUID } from 'node:crypto'
import { credentialChanged } from '@bearing/contracts/identity/credentials/credential'
import { onEvent } from '@bearing/nats/events'
import { eventually } from '@bearing/testing/eventually'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { TestIdentity } from '../../testing/test-identity.js'

describe('the outbox', () => {
  const identity = forSuite(() => TestIdentity.connect())
  const changed: string[] = []

  beforeAll(() => {
    onEvent(
      identity.connection,
      credentialChanged,
      ({ tags }) => changed.push(...tags),
      () => undefined,
    )
  })

  it('an event that a crash has left behind is published and deleted', async () => {
    const id = randomUUID()
    const tag = `credential:${randomUUID()}`
    await identity.database.outboxEvent.create({
      data: { id, subject: credentialChanged.subject, data: { id, tags: [tag] }, createdAt: new Date() },
    })
    await eventually(async () => {
      expect(changed).toContain(tag)
      expect(await identity.database.outboxEvent.count({ where: { id } })).toBe(0)
    })
  })
})
