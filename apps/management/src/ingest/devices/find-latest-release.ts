import { findLatestRelease } from '@bearing/contracts/management/data/release'
import type { Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'

@Controller()
export class FindLatestRelease {
  /** There are no releases. */
  @Handle(findLatestRelease)
  execute(): Promise<Output<typeof findLatestRelease>> {
    return Promise.resolve(null)
  }
}
