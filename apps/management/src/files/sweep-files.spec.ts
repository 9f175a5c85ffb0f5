import { randomBytes, randomUUID } from 'node:crypto'
import { DAY_MS } from '@bearing/contracts/durations'
import type { FileKind } from '@bearing/contracts/management/data/file'
import { createProject } from '@bearing/contracts/management/tenancy/project'
import { Clock } from '@bearing/service/ground/clock'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { TestManagement } from '../testing/test-management.js'
import { SweepFiles } from './sweep-files.js'

const SILENT = { warn: () => undefined, info: () => undefined } as never // all that the sweeper says

describe('files that are old', () => {
  const management = forSuite(() => TestManagement.connect())
  const organization = forSuite(() => management.newOrganization())
  const now = Date.now()

  /** A project that keeps files for so many days. */
  async function newProject(fileRetentionDays: Partial<Record<FileKind, number>>): Promise<string> {
    const claims = await organization.admin.claims()
    const { id } = await management.call(
      createProject,
      { organization_id: organization.id, name: 'x' },
      claims,
    )
    await management.database.dataPolicy.create({
      data: { projectId: id, fileRetentionDays, changedAt: new Date() },
    })
    return id
  }

  async function newObject(projectId: string): Promise<string> {
    const sha256 = randomBytes(32).toString('hex')
    const content = { sha256, kept: sha256, md5: '', size: 3, sentSize: 3, parts: [1n] }
    const object = { id: randomUUID(), projectId, storage: 'jetstream', createdAt: new Date() }
    await management.database.storedObject.create({ data: { ...object, ...content } })
    return object.id
  }

  async function newFile(projectId: string, kind: FileKind, days: number, objectId?: string) {
    const [id, uploadId] = [randomUUID(), randomUUID()]
    const createdAt = new Date(now - days * DAY_MS)
    const whose = { organizationId: organization.id, projectId, createdAt }
    const object = objectId ?? (await newObject(projectId))
    const said = { attributes: {}, meaning: randomBytes(32).toString('hex') }
    await management.database.storedFile.create({ data: { ...whose, ...said, id, kind, objectId: object } })
    await management.database.upload.create({
      data: { ...whose, id: uploadId, maxBytes: 3, fileId: id, objectId: object },
    })
    return { id, uploadId, objectId: object }
  }

  const sweep = () => new SweepFiles(management.database, new Clock(() => now), SILENT).sweep()
  const filesOf = async (projectId: string) => {
    const rows = await management.database.storedFile.findMany({ where: { projectId }, select: { id: true } })
    return rows.map(({ id }) => id).sort()
  }

  it('are deleted, with their uploads and content, where their project keeps their kind no longer; and no others', async () => {
    const projectId = await newProject({ coredump: 2, mar: 9 })
    const elsewhere = await newProject({ mar: 9 })
    const old = await newFile(projectId, 'coredump', 2.1)
    const kept = [
      await newFile(projectId, 'coredump', 1.9),
      await newFile(projectId, 'mar', 8),
      await newFile(projectId, 'symbols', 1_000),
    ]
    const other = await newFile(elsewhere, 'coredump', 1_000)
    await sweep()
    expect(await filesOf(projectId)).toEqual(kept.map(({ id }) => id).sort())
    expect(await filesOf(elsewhere)).toEqual([other.id])
    expect(await management.database.upload.findUnique({ where: { id: old.uploadId } })).toBeNull()
    // A sweep of uploads may have taken it away by now.
    const object = await management.database.storedObject.findUnique({ where: { id: old.objectId } })
    expect(object?.kept ?? null).toBeNull()
  })

  it('leave the content that a younger one has as well', async () => {
    const projectId = await newProject({ mar: 2 })
    const old = await newFile(projectId, 'mar', 3)
    const young = await newFile(projectId, 'bugreport', 3, old.objectId)
    await sweep()
    expect(await filesOf(projectId)).toEqual([young.id])
    const object = await management.database.storedObject.findUniqueOrThrow({ where: { id: old.objectId } })
    expect([object.kept, object.leaving]).toEqual([object.sha256, false])
  })
})
