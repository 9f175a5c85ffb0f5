import { prepareUpload } from '@bearing/contracts/management/upload'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/clock'
import { Randomness } from '@bearing/service/randomness'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { requireProject } from '../require-project.js'
import { deviceSerialOf } from '../rules/commit-meaning.js'
import { Storages } from '../storage/storage.js'
import { lockCommits, lockRoom } from './commit-lock.js'
import { findRoom } from './storage-quota.js'
import { requireKnown } from './require-known-device.js'
import { UploadLimits, tooLarge } from './upload-limits.js'
import { UploadTokens } from './upload-tokens.js'

/** Where the gateway takes bytes; it puts its own address in front. */
const PUT_PATH = '/api/v0/uploads/'

@Controller()
export class PrepareUpload {
  constructor(
    private readonly database: Database,
    private readonly storages: Storages,
    private readonly tokens: UploadTokens,
    private readonly limits: UploadLimits,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** Not written into the audit log: what counts is the commit. */
  @Handle(prepareUpload)
  async execute(input: Input<typeof prepareUpload>, by: Principal): Promise<Output<typeof prepareUpload>> {
    const { organization_id: organizationId, project_id: projectId, kind, size } = input
    await requireProject(this.database, organizationId, projectId)
    const serial = deviceSerialOf(input)
    // Told before the bytes are sent, where it can be. The commit has to say which device it is.
    if (by.kind === 'project_key' && serial !== null) await requireKnown(this.database, projectId, serial)
    const limits = await this.limits.in(this.database, projectId)
    const maxBytes = limits.of(kind)
    if (size !== undefined && size > maxBytes) throw tooLarge(maxBytes)
    const room = { organizationId, projectId, quotas: limits.quotas }
    const least = [size ?? 1, size ?? 1] as const
    await findRoom(this.database, room, least, null)
    const id = this.randomness.newId()
    const { current } = this.storages
    const objectId = this.randomness.newId()
    const address = await current.putAddress(objectId)
    const createdAt = this.clock.now()
    await this.database.transaction(async (transaction) => {
      if (address !== undefined) {
        // What clients put by themselves is counted as announced until it is committed.
        await lockCommits(transaction, projectId)
        await lockRoom(transaction, organizationId)
        await findRoom(transaction, room, least, null)
      }
      await transaction.upload.create({
        data: {
          id,
          organizationId,
          projectId,
          maxBytes,
          size: size ?? null,
          createdAt,
          ...(address !== undefined && { objectId }),
        },
      })
      if (address !== undefined)
        await transaction.storedObject.create({
          data: { id: objectId, projectId, storage: current.name, size: size ?? null, createdAt },
        })
    })
    return {
      upload_url: address ?? PUT_PATH + this.tokens.forPut(id),
      token: this.tokens.forCommit(id),
    }
  }
}
