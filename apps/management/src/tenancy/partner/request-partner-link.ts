import { OperationError } from '@bearing/contracts/errors'
import { recordPartnerLinkRequest } from '@bearing/contracts/identity/sso/partner'
import { requestPartnerLink } from '@bearing/contracts/management/tenancy/partner'
import type { Input, Output } from '@bearing/contracts/operation'
import { currentCall } from '@bearing/nats/call-context'
import { NatsClient } from '@bearing/nats/client'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'

@Controller()
export class RequestPartnerLink {
  constructor(
    private readonly database: Database,
    private readonly identity: NatsClient,
  ) {}

  @Handle(requestPartnerLink)
  async execute({
    organization: slug,
  }: Input<typeof requestPartnerLink>): Promise<Output<typeof requestPartnerLink>> {
    const organization = await this.database.organization.findUnique({
      where: { slug },
      select: { id: true },
    })
    if (!organization)
      throw new OperationError('organization_not_found', 'No organization has this slug. Check the slug.')
    return this.identity.call(
      recordPartnerLinkRequest,
      { asked_organization_id: organization.id },
      { claims: currentCall()?.claims },
    )
  }
}
