import { getJwks } from '@bearing/contracts/identity/credentials/jwks'
import type { Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { SETTINGS } from '@bearing/service/run/runtime-module'
import { Controller, Inject } from '@nestjs/common'
import type { Settings } from '../../config.js'
import { jwksOf } from './jwks.js'

@Controller()
export class GetJwks {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  @Handle(getJwks)
  execute(): Promise<Output<typeof getJwks>> {
    return Promise.resolve(jwksOf(this.settings.IDENTITY_SIGNING_KEYS))
  }
}
