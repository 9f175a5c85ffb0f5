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
}

/**
 * Moves the hash of a secret under the pepper that is current. Only when the secret is presented is it there to be hashed
 * anew, so after a pepper was rotated this is how credentials leave the old one.
 */
@Injectable()
export class RenewSecretHash {
  constructor(
    private readonly database: Database,
    private readonly peppers: Peppers,
  ) {}

  /** Called with a secret that was found right. Changes nothing where somebody else has changed the row meanwhile. */
  async renew(token: TokenParts, stored: StoredSecret): Promise<void> {
    if (this.peppers.isCurrent(stored)) return
    const { secretHash, pepperId } = this.peppers.hash(token)
    await this.database.$executeRaw`
      UPDATE ${TABLES[token.kind]} SET secret_hash = ${secretHash}, pepper_id = ${pepperId}
      WHERE id = ${token.id}::uuid AND secret_hash = ${stored.secretHash}`
  }
}
