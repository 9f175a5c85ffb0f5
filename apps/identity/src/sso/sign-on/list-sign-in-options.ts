import { MAX_SIGN_IN_OPTIONS, listSignInOptions } from '@bearing/contracts/identity/people/sign-in-options'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { signInPath } from '../connections/connection-row.js'

@Controller()
export class ListSignInOptions {
  constructor(private readonly database: Database) {}

  /** Reads by the domain of the address alone, so that the reply and its time say nothing about accounts. */
  @Handle(listSignInOptions)
  async execute({ email }: Input<typeof listSignInOptions>): Promise<Output<typeof listSignInOptions>> {
    const domain = email?.slice(email.lastIndexOf('@') + 1)
    const [connections, partners] = await Promise.all([
      domain === undefined ? [] : this.connectionsOf(domain),
      this.connections(null),
    ])
    return { password: true, connections, partners }
  }

  private async connectionsOf(domain: string) {
    const owners = await this.database.ssoDomain.findMany({
      where: { domain, verifiedAt: { not: null } },
      select: { organizationId: true },
      take: MAX_SIGN_IN_OPTIONS,
    })
    return this.connections({ in: owners.map(({ organizationId }) => organizationId) })
  }

  private async connections(organizationId: { in: string[] } | null) {
    const rows = await this.database.ssoConnection.findMany({
      where: { organizationId, enabled: true },
      select: { id: true, name: true },
      orderBy: [{ name: 'asc' }, { id: 'asc' }],
      take: MAX_SIGN_IN_OPTIONS,
    })
    return rows.map(({ id, name }) => ({ name, sign_in_path: signInPath(id) }))
  }
}
