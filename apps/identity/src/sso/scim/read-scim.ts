import { readScim } from '@bearing/contracts/identity/sso/scim'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { noConnection } from '../connections/connection-row.js'
import { refuseOtherConnection } from './refuse-other-connection.js'
import { MAX_PAGE, discovery, listResponse } from './scim-discovery.js'
import type { Attributes } from './scim-patch.js'
import { etagOf, toScim, type StoredResource } from './scim-resource.js'
import { findRow, relatedTo, relatedToPage, typeOf, whereOf } from './scim-rows.js'

type Request = Input<typeof readScim>

@Controller()
export class ReadScim {
  constructor(private readonly database: Database) {}

  @Handle(readScim)
  async execute(input: Request, by: Principal): Promise<Output<typeof readScim>> {
    const { connection_id: id, organization_id: organizationId, base_url: base = '' } = input
    if ((await this.database.ssoConnection.count({ where: { id, organizationId } })) === 0)
      throw noConnection()
    await refuseOtherConnection(this.database, by, id)
    const document = discovery(input.resource, input.resource_id, base)
    if (document) return { resource: document }
    if (input.resource_id === undefined) return { resource: await this.list(input, base) }
    const row = await findRow(this.database, id, typeOf(input.resource), input.resource_id)
    const related = await relatedTo(this.database, id, row)
    return { resource: shown(row, input, base, related), etag: etagOf(row) }
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
    const relatedOf = await relatedToPage(this.database, input.connection_id, rows)
    const resources = rows.map((row) => shown(row, input, base, relatedOf(row)))
    return listResponse(resources, total, start)
  }
}

function shown(
  row: StoredResource,
  input: Request,
  base: string,
  related: Parameters<typeof toScim>[2],
): Attributes {
  const left = row.type === 'Group' ? 'members' : 'groups'
  const isLeftOut = input.excludedAttributes?.split(',').some((name) => name.trim().toLowerCase() === left)
  if (!isLeftOut) return toScim(row, base, related)
  const { [left]: _, ...rest } = toScim(row, base, [])
  return rest
}
