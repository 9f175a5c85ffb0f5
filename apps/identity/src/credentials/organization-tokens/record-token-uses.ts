import { recordTokenUses } from '@bearing/contracts/identity/tokens/organization-token'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { storable } from '@bearing/service/audit/audit-row'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'

@Controller()
export class RecordTokenUses {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Writes rows in the order of ids, against deadlocks between gateways. Of legacy tokens only the time is stored. */
  @Handle(recordTokenUses)
  async execute({ uses }: Input<typeof recordTokenUses>): Promise<Output<typeof recordTokenUses>> {
    const now = this.clock.now().toISOString()
    await this.database.$executeRaw`
      INSERT INTO organization_token_uses (organization_token_id, used_at, address, user_agent)
      SELECT DISTINCT ON (token.id) token.id, least(used.used_at, ${now}::timestamptz), used.address,
             nullif(used.user_agent, '')
      FROM unnest(
        ${uses.map((use) => use.organization_token_id)}::uuid[],
        ${uses.map((use) => use.used_at)}::timestamptz[],
        ${uses.map((use) => storable(use.address))}::text[],
        ${uses.map((use) => storable(use.user_agent ?? ''))}::text[]
      ) AS used (id, used_at, address, user_agent)
      JOIN organization_tokens token USING (id)
      ORDER BY token.id, used.used_at DESC
      ON CONFLICT (organization_token_id) DO UPDATE
      SET used_at = excluded.used_at, address = excluded.address, user_agent = excluded.user_agent
      WHERE excluded.used_at > organization_token_uses.used_at`
    await this.database.$executeRaw`
      WITH used AS (
        SELECT token.id, max(least(used.used_at, ${now}::timestamptz)) AS used_at
        FROM unnest(
          ${uses.map((use) => use.organization_token_id)}::uuid[],
          ${uses.map((use) => use.used_at)}::timestamptz[]
        ) AS used (id, used_at)
        JOIN legacy_tokens token USING (id)
        GROUP BY token.id
      ), locked AS (
        SELECT token.id FROM legacy_tokens token JOIN used USING (id) ORDER BY token.id FOR UPDATE OF token
      )
      UPDATE legacy_tokens token SET last_used_at = used.used_at
      FROM used JOIN locked USING (id)
      WHERE token.id = used.id AND (token.last_used_at IS NULL OR token.last_used_at < used.used_at)`
    return {}
  }
}
