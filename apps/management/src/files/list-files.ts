import { listFiles } from '@bearing/contracts/management/data/file'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'
import { pageOfFiles } from './page-of-files.js'

@Controller()
export class ListFiles {
  constructor(private readonly database: Database) {}

  @Handle(listFiles)
  async execute(input: Input<typeof listFiles>): Promise<Output<typeof listFiles>> {
    const { project_id: projectId, kind, sha256, device_serial: deviceSerial } = input
    const { software_type: softwareType, software_version: softwareVersion } = input
    return pageOfFiles(this.database, input, {
      ...(kind && { kind }),
      ...(deviceSerial !== undefined && { deviceSerial }),
      ...(softwareType !== undefined && { softwareType }),
      ...(softwareVersion !== undefined && { softwareVersion }),
      ...(sha256 !== undefined && { object: { projectId, kept: sha256 } }),
    })
  }
}
