import { WHOLE_ORGANIZATION } from '@bearing/contracts/tenant-scope'
import { Batches } from '@bearing/service/work/batches'
import { Injectable } from '@nestjs/common'
import type { WorkloadTrust } from '../generated/prisma/client.js'
import { Database } from '../ground/database.js'

/** A trust as it was read. */
export interface KnownTrust extends WorkloadTrust {
  /** A hash of its columns: another one, if it was changed since. */
  readonly version: string
}

interface Wanted {
  readonly organizationId: string
  readonly issuer: string
}

/** Reads the trusts of organizations for an issuer. */
@Injectable()
export class TrustsOfIssuers {
  private readonly batches = new Batches<Wanted, KnownTrust[]>((wanted) => this.read(wanted), {
    items: 64,
    concurrency: 2,
  })

  constructor(private readonly database: Database) {}

  /** Returns none if the organization is deleted. */
  of(organizationId: string, issuer: string): Promise<readonly KnownTrust[]> {
    return this.batches.add({ organizationId, issuer })
  }

  private async read(wanted: readonly Wanted[]): Promise<KnownTrust[][]> {
    const trusts = await this.database.$queryRaw<KnownTrust[]>`
      SELECT t.id, t.organization_id AS "organizationId", t.name, t.platform, t.issuer, t.jwks, t.audience, t.claims,
             t.permissions, t.project_ids AS "projectIds", t.allowed_addresses AS "allowedAddresses",
             t.lifetime_s AS "lifetimeS", t.single_use AS "singleUse", t.created_at AS "createdAt",
             t.created_by AS "createdBy", md5(t::text) AS version
      FROM workload_trusts t
      WHERE t.organization_id = ANY(${wanted.map(({ organizationId }) => organizationId)}::uuid[])
        AND t.issuer = ANY(${wanted.map(({ issuer }) => issuer)})
        AND NOT EXISTS (
          SELECT FROM tenant_states d
          WHERE d.organization_id = t.organization_id AND d.project_id = ${WHOLE_ORGANIZATION}::uuid AND d.state <> 'active'
        )`
    return wanted.map(({ organizationId, issuer }) =>
      trusts.filter((trust) => trust.organizationId === organizationId && trust.issuer === issuer),
    )
  }
}
