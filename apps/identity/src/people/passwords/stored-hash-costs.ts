import type { Logger } from '@bearing/service/logger'
import { BackgroundJob } from '@bearing/service/background-job'
import type { Database } from '../../ground/database.js'
import type { Passwords } from './passwords.js'

/** How often it is looked which costs there are, in milliseconds. */
const EVERY_MS = 3_600_000
/** Costs that are looked for: the most frequent ones. */
const MOST = 4

/** Looks which costs the stored hashes of passwords have, so that none of them stands out ({@link Passwords.expect}). */
export class FormerCosts extends BackgroundJob {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    logger: Logger,
  ) {
    super({
      intervalMs: EVERY_MS,
      run: () => this.look(),
      logger,
      failure: 'the costs of stored password hashes will be looked for later',
    })
  }

  /** Looks once. */
  async look(): Promise<void> {
    const rows = await this.database.$queryRaw<{ readonly hash: string }[]>`
      SELECT min(password_hash) AS hash FROM users WHERE password_hash LIKE '$argon2id$%'
      GROUP BY split_part(password_hash, '$', 4) ORDER BY count(*) DESC LIMIT ${MOST}`
    await this.passwords.expect(rows.map(({ hash }) => hash))
  }
}
