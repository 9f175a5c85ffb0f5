import { commitUpload } from '@bearing/contracts/management/data/upload'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { CommitFile } from './commit-file.js'

@Controller()
export class CommitUpload {
  constructor(private readonly commit: CommitFile) {}

  @Handle(commitUpload)
  async execute(input: Input<typeof commitUpload>, by: Principal): Promise<Output<typeof commitUpload>> {
    return this.commit.execute(input.kind, input, by)
  }
}
