import { BackgroundJob } from '@bearing/service/work/background-job'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { Passwords } from './passwords.js'

const INTERVAL_MS = 3_600_000
/** Only the most frequent costs are read. */
const MAX_COSTS = 4

/** Reads which costs the stored password hashes have, so that checks take equally long for all ({@link Passwords.expect}). */
@Injectable()
export class StoredHashCosts extends BackgroundJob {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      intervalMs: INTERVAL_MS,
      run: () => this.read(),
      logger,
      failure: 'The costs of stored password hashes could not be read. Retrying.',
    })
  }

  async read(): Promise<void> {
    const rows = await this.database.$queryRaw<{ readonly hash: string }[]>`
      SELECT min(password_hash) AS hash FROM users WHERE password_hash LIKE '$argon2id$%'
      GROUP BY split_part(password_hash, '$', 4) ORDER BY count(*) DESC LIMIT ${MAX_COSTS}`
    await this.passwords.expect(rows.map(({ hash }) => hash))
  }
}
