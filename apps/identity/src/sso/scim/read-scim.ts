import { readScim } from '@bearing/contracts/identity/sso/scim'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { noConnection } from '../connections/connection-row.js'
import { MAX_PAGE, discovery, listResponse } from './scim-discovery.js'
import type { Attributes } from './scim-patch.js'
import { etagOf, toScim, type StoredResource } from './scim-resource.js'
import { findRow, relatedTo, typeOf, whereOf } from './scim-rows.js'

type Request = Input<typeof readScim>

@Controller()
export class ReadScim {
  constructor(private readonly database: Database) {}

  @Handle(readScim)
  async execute(input: Request): Promise<Output<typeof readScim>> {
    const { connection_id: id, organization_id: organizationId, base_url: base = '' } = input
    if ((await this.database.ssoConnection.count({ where: { id, organizationId } })) === 0)
      throw noConnection()
    const document = discovery(input.resource, input.resource_id, base)
    if (document) return { resource: document }
    if (input.resource_id === undefined) return { resource: await this.list(input, base) }
    const row = await findRow(this.database, id, typeOf(input.resource), input.resource_id)
    return { resource: await this.shown(row, input, base), etag: etagOf(row) }
  }

  private async list(input: Request, base: string): Promise<Attributes> {
    const start = Math.max(1, input.startIndex ?? 1)
    const take = Math.min(MAX_PAGE, Math.max(0, input.count ?? MAX_PAGE))
    const where = await whereOf(this.database, input.connection_id, typeOf(input.resource), input.filter)
    const [total, rows] = await Promise.all([
      this.database.scimResource.count({ where }),
      take === 0
        ? []
        : this.database.scimResource.findMany({ where, orderBy: { id: 'asc' }, skip: start - 1, take }),
    ])
    const resources = await Promise.all(rows.map((row) => this.shown(row, input, base)))
    return listResponse(resources, total, start)
  }

  private async shown(row: StoredResource, input: Request, base: string): Promise<Attributes> {
    const left = row.type === 'Group' ? 'members' : 'groups'
    const isLeftOut = input.excludedAttributes?.split(',').some((name) => name.trim().toLowerCase() === left)
    if (!isLeftOut) return toScim(row, base, await relatedTo(this.database, input.connection_id, row))
    const { [left]: _, ...rest } = toScim(row, base, [])
    return rest
  }
}
