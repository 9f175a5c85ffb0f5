import { prepareUpload } from '@bearing/contracts/management/data/upload'
import type { Input, Output } from '@bearing/contracts/operation'
import { isOfDevice, type Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { lockCommits, lockStorageQuota } from '../../ground/locks.js'
import { requireProject } from '../../tenancy/projects/require-project.js'
import { deviceSerialOf } from '../rules/commit-meaning.js'
import { Storages } from '../../storage/storage.js'
import { availableBytes } from './storage-quota.js'
import { requireKnownDevice } from './require-known-device.js'
import { UploadLimits, tooLarge } from './upload-limits.js'
import { UploadTokens } from './upload-tokens.js'

/** Path at which the gateway receives bytes; the gateway adds its origin. */
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

  /** Only the commit is recorded in the audit log. */
  @Handle(prepareUpload)
  async execute(input: Input<typeof prepareUpload>, by: Principal): Promise<Output<typeof prepareUpload>> {
    const { organization_id: organizationId, project_id: projectId, kind, size } = input
    await requireProject(this.database, input)
    const serial = deviceSerialOf(input)
    // Checked before the bytes are sent, if the device is named. The commit must name it.
    if (isOfDevice(by) && serial !== null) await requireKnownDevice(this.database, projectId, serial)
    const limits = await this.limits.forProject(this.database, projectId)
    const maxBytes = limits.maxBytes(kind)
    if (size !== undefined && size > maxBytes) throw tooLarge(maxBytes)
    const scope = { organizationId, projectId, quotas: limits.quotas }
    const least = [size ?? 1, size ?? 1] as const
    await availableBytes(this.database, scope, least, null)
    const id = this.randomness.newId()
    const { current } = this.storages
    const objectId = this.randomness.newId()
    const url = await current.putUrl(objectId)
    const createdAt = this.clock.now()
    await this.database.transaction(async (transaction) => {
      if (url !== undefined) {
        // Until the commit, what clients put to S3 counts as announced.
        await lockCommits(transaction, projectId)
        await lockStorageQuota(transaction, organizationId)
        await availableBytes(transaction, scope, least, null)
      }
      await transaction.upload.create({
        data: {
          id,
          organizationId,
          projectId,
          maxBytes,
          size: size ?? null,
          createdAt,
          ...(url !== undefined && { objectId }),
        },
      })
      if (url !== undefined)
        await transaction.storedObject.create({
          data: { id: objectId, projectId, storage: current.name, size: size ?? null, createdAt },
        })
    })
    return {
      upload_url: url ?? PUT_PATH + this.tokens.forPut(id),
      token: this.tokens.forCommit(id),
    }
  }
}
