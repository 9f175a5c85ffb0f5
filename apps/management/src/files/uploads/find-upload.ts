import { findUpload } from '@bearing/contracts/management/data/upload'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { requireUndeleted } from './require-undeleted.js'
import { UploadTokens, uploadUrlInvalid } from './upload-tokens.js'

@Controller()
export class FindUpload {
  constructor(
    private readonly database: Database,
    private readonly tokens: UploadTokens,
  ) {}

  @Handle(findUpload)
  async execute({ upload_token }: Input<typeof findUpload>): Promise<Output<typeof findUpload>> {
    const upload = await this.database.upload.findUnique({
      where: { id: this.tokens.readPut(upload_token, false) },
      select: { organizationId: true, projectId: true },
    })
    if (!upload) throw uploadUrlInvalid()
    await requireUndeleted(this.database, upload)
    return { organization_id: upload.organizationId }
  }
}
