import type { TokenKind, TokenParts } from '@bearing/access/token-format'
import { ORGANIZATION_TOKEN } from '@bearing/contracts/principal'
import { Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { Prisma } from '../../generated/prisma/client.js'
import { Peppers, type StoredSecret } from '../../ground/rules/peppers.js'

const TABLES: Readonly<Record<TokenKind, Prisma.Sql>> = {
  [ORGANIZATION_TOKEN]: Prisma.sql`organization_tokens`,
  user_key: Prisma.sql`user_keys`,
  session: Prisma.sql`sessions`,
  onboarding_token: Prisma.sql`onboarding_tokens`,
}

/**
 * Replaces the hash of a secret with one of the current pepper. The secret is known only while it is presented, so this is
 * how credentials leave an old pepper after its rotation.
 */
@Injectable()
export class RenewSecretHash {
  constructor(
    private readonly database: Database,
    private readonly peppers: Peppers,
  ) {}

  /** Call it with a verified secret. Changes nothing if the row was changed meanwhile. */
  async renew(token: TokenParts, stored: StoredSecret): Promise<void> {
    if (this.peppers.isCurrent(stored)) return
    const { secretHash, pepperId } = this.peppers.hash(token)
    await this.database.$executeRaw`
      UPDATE ${TABLES[token.kind]} SET secret_hash = ${secretHash}, pepper_id = ${pepperId}
      WHERE id = ${token.id}::uuid AND secret_hash = ${stored.secretHash}`
  }
}
