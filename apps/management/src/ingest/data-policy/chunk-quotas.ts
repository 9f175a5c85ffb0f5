import { SETTINGS } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import type { Settings } from '../../config.js'

/** The operator's limits of chunk bytes per day (UTC); null for no limit. */
@Injectable()
export class ChunkQuotas {
  readonly ofProject: number | null
  readonly ofOrganization: number | null

  constructor(@Inject(SETTINGS) { ORGANIZATION_CHUNK_BYTES_PER_DAY, PROJECT_CHUNK_SHARE }: Settings) {
    this.ofProject = Math.floor(ORGANIZATION_CHUNK_BYTES_PER_DAY * PROJECT_CHUNK_SHARE) || null
    this.ofOrganization = ORGANIZATION_CHUNK_BYTES_PER_DAY || null
  }
}
