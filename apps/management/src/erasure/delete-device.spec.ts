import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { deleteDevice } from '@bearing/contracts/management/devices/device'
import { createProject } from '@bearing/contracts/management/tenancy/project'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { lockCommits } from '../ground/locks.js'
import { TestManagement } from '../testing/test-management.js'

/** Longer than a deletion that waits for nobody takes, in milliseconds. */
const WAIT_MS = 1_500

describe('deleting a device', () => {
  const management = forSuite(() => TestManagement.connect())
  const organization = forSuite(() => management.newOrganization())
  let projectId: string

  beforeAll(async () => {
    const { id } = await management.call(
      createProject,
      { organization_id: organization.id, name: 'x' },
      await organization.admin.claims(),
    )
    projectId = id
  })

  /** Content that the project keeps. */
  async function newObject(): Promise<string> {
    const sha256 = randomBytes(32).toString('hex')
    const content = { sha256, kept: sha256, md5: randomBytes(16).toString('hex'), size: 3, sentSize: 3 }
    const object = { id: randomUUID(), projectId, storage: 'jetstream', parts: [1n], createdAt: new Date() }
    await management.database.storedObject.create({ data: { ...object, ...content } })
    return object.id
  }

  const file = (objectId: string, kind: string, deviceSerial: string) => ({
    id: randomUUID(),
    organizationId: organization.id,
    projectId,
    kind,
    objectId,
    deviceSerial,
    attributes: {},
    meaning: randomBytes(32).toString('hex'),
    createdAt: new Date(),
  })

  const deleteIt = async (device_serial: string) =>
    management.call(
      deleteDevice,
      { organization_id: organization.id, project_id: projectId, device_serial },
      await organization.admin.claims(),
    )

  it('that is known by its files alone deletes these, once', async () => {
    const serial = `FILES-${randomUUID()}`
    const objectId = await newObject()
    await management.database.storedFile.create({ data: file(objectId, 'coredump', serial) })
    expect(await deleteIt(serial)).toMatchObject({
      deleted: { chunks: 0, files: 1 },
      left: { devices: 0, chunks: 0, files: 0, dead_letters: 0 },
    })
    const object = await management.database.storedObject.findUniqueOrThrow({ where: { id: objectId } })
    expect(object.kept).toBeNull()
    await expect(deleteIt(serial)).rejects.toMatchObject({ code: 'device_not_found' })
  })

  it('leaves the content of a file that is being committed for another device', async () => {
    const [gone, other] = [`GONE-${randomUUID()}`, `OTHER-${randomUUID()}`]
    const objectId = await newObject()
    await management.database.storedFile.create({ data: file(objectId, 'mar', gone) })
    let deleting: ReturnType<typeof deleteIt> | undefined
    // As a commit does, which has found the content here.
    await management.database.transaction(
      async (transaction) => {
        await lockCommits(transaction, projectId)
        await transaction.storedFile.create({ data: file(objectId, 'coredump', other) })
        deleting = deleteIt(gone)
        await sleep(WAIT_MS)
      },
      { timeout: 10 * WAIT_MS },
    )
    expect(await deleting).toMatchObject({ deleted: { files: 1 }, left: { files: 0 } })
    const object = await management.database.storedObject.findUniqueOrThrow({ where: { id: objectId } })
    expect(object.kept).toBe(object.sha256)
  })
})
