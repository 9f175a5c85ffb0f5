import { getJwks } from '@bearing/contracts/identity/jwks'
import type { Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { PublishedKeys } from './published-keys.js'

@Controller()
export class GetJwks {
  constructor(private readonly keys: PublishedKeys) {}

  @Handle(getJwks)
  execute(): Promise<Output<typeof getJwks>> {
    return Promise.resolve(this.keys.jwks)
  }
}
