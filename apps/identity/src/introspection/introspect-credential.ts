import { introspectCredential } from '@bearing/contracts/identity/credentials/credential'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { IntrospectionCache } from './introspection-cache.js'

/** Gateways call this for every request whose credential they have not cached. */
@Controller()
export class IntrospectCredential {
  constructor(private readonly cache: IntrospectionCache) {}

  @Handle(introspectCredential)
  execute({
    fresh = false,
    audience,
    organization_id: organizationId,
    ...credential
  }: Input<typeof introspectCredential>): Promise<Output<typeof introspectCredential>> {
    const scope = audience === undefined ? undefined : { audience, organizationId }
    return this.cache.introspect(credential, fresh, scope)
  }
}
