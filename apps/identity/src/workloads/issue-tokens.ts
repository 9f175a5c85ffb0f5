import type { Workload } from '@bearing/contracts/principal'
import type { AuditRow } from '@bearing/service/audit/audit-row'
import { Batches } from '@bearing/service/work/batches'
import { Injectable } from '@nestjs/common'
import { append } from '../ground/audit/audit-chain.js'
import { Database, type Transaction } from '../ground/database.js'
import { holdTrusts } from '../ground/locks.js'
import type { KnownTrust } from './trusts-of-issuers.js'

/** The columns of a new token. */
interface NewToken {
  readonly id: string
  readonly organizationId: string
  readonly description: string
  readonly permissions: readonly string[]
  readonly boundProjectIds: readonly string[]
  readonly boundPermissions: readonly string[]
  readonly allowedAddresses: readonly string[]
  readonly secretHash: Uint8Array
  readonly pepperId: string
  readonly createdAt: Date
  readonly createdBy: string
  readonly expiresAt: Date
  readonly ancestors: readonly string[]
  readonly workload: Workload
}

/** A token that a trust gives, if the trust is still the same and the subject token was not exchanged before. */
export interface Issue {
  readonly trust: Pick<KnownTrust, 'id' | 'version'>
  readonly token: NewToken
  /** The subject token, if the trust accepts it once. */
  readonly assertion: { readonly jtiHash: Uint8Array<ArrayBuffer>; readonly expiresAt: Date } | undefined
  readonly audit: AuditRow
}
export type Issued = 'issued' | 'changed' | 'replayed'

/** Stores tokens of workloads, several in one transaction: most of an exchange is the statements. */
@Injectable()
export class IssueTokens {
  private readonly batches = new Batches<Issue, Issued>((issues) => this.store(issues), {
    items: 64,
    concurrency: 1,
  })

  constructor(private readonly database: Database) {}

  issue(issue: Issue): Promise<Issued> {
    return this.batches.add(issue)
  }

  private store(issues: readonly Issue[]): Promise<Issued[]> {
    return this.database.transaction(async (transaction) => {
      const ids = [...new Set(issues.map(({ trust }) => trust.id))]
      const held = await holdTrusts(transaction, ids)
      const versions = new Map(held.map(({ id, version }) => [id, version]))
      // They may have been changed while the tokens were verified.
      const same = issues.filter(({ trust }) => versions.get(trust.id) === trust.version)
      const replayed = await this.replayed(transaction, same)
      const accepted = same.filter((issue) => !replayed.has(issue))
      if (accepted.length > 0) {
        await insertTokens(
          transaction,
          accepted.map(({ token }) => token),
        )
        await append(
          transaction,
          accepted.map(({ audit }) => audit),
          'identity',
        )
      }
      const kept = new Set(accepted)
      return issues.map((issue) =>
        kept.has(issue) ? 'issued' : replayed.has(issue) ? 'replayed' : 'changed',
      )
    })
  }

  /** Accepts each subject token once. Of two exchanges at the same time, one inserts the row. */
  private async replayed(transaction: Transaction, issues: readonly Issue[]): Promise<ReadonlySet<Issue>> {
    const first = new Map<string, Issue>()
    const replayed = new Set<Issue>()
    for (const issue of issues) {
      if (!issue.assertion) continue
      const key = keyOf({ trustId: issue.trust.id, jtiHash: issue.assertion.jtiHash })
      if (first.has(key)) replayed.add(issue)
      else first.set(key, issue)
    }
    if (first.size === 0) return replayed
    // In one order: two batches with the same tokens do not deadlock.
    const data = [...first]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, { trust, assertion }]) => (assertion ? [{ trustId: trust.id, ...assertion }] : []))
    const stored = await transaction.workloadAssertion.createManyAndReturn({ data, skipDuplicates: true })
    const inserted = new Set(stored.map(keyOf))
    for (const [key, issue] of first) if (!inserted.has(key)) replayed.add(issue)
    return replayed
  }
}

function keyOf({ trustId, jtiHash }: { readonly trustId: string; readonly jtiHash: Uint8Array }): string {
  return `${trustId} ${Buffer.from(jtiHash).toString('hex')}`
}

/** By one statement for any number: Prisma compiles an insert again for each number of rows. */
async function insertTokens(transaction: Transaction, tokens: readonly NewToken[]): Promise<void> {
  const rows = tokens.map(({ secretHash, ...row }) => ({
    ...row,
    secretHash: Buffer.from(secretHash).toString('hex'),
  }))
  await transaction.$executeRaw`
    INSERT INTO organization_tokens (
      id, organization_id, description, permissions, bound_project_ids, bound_permissions, allowed_addresses,
      secret_hash, pepper_id, created_at, created_by, expires_at, ancestors, workload
    )
    SELECT id, "organizationId", description, permissions, "boundProjectIds", "boundPermissions", "allowedAddresses",
           decode("secretHash", 'hex'), "pepperId", "createdAt", "createdBy", "expiresAt", ancestors, workload
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS token (
      id uuid, "organizationId" uuid, description text, permissions text[], "boundProjectIds" uuid[],
      "boundPermissions" text[], "allowedAddresses" text[], "secretHash" text, "pepperId" text, "createdAt" timestamptz,
      "createdBy" uuid, "expiresAt" timestamptz, ancestors uuid[], workload jsonb
    )`
}
