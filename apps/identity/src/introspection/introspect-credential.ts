import { introspectCredential } from '@bearing/contracts/identity/credential'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { CredentialMemory } from './introspection-cache.js'

/** Tells who holds a credential. Every request that a gateway has no fresh answer for comes here. */
@Controller()
export class IntrospectCredential {
  constructor(private readonly memory: CredentialMemory) {}

  @Handle(introspectCredential)
  execute({
    fresh = false,
    audience,
    organization_id: organizationId,
    ...credential
  }: Input<typeof introspectCredential>): Promise<Output<typeof introspectCredential>> {
    return this.memory.recall(
      credential,
      fresh,
      audience === undefined ? undefined : { audience, organizationId },
    )
  }
}
