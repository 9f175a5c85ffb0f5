import { OperationError } from '@bearing/contracts/errors'
import { DOMAIN_RECORD_PREFIX, type SsoDomain } from '@bearing/contracts/identity/sso-domain'
import type { z } from 'zod'

interface Row {
  readonly domain: string
  readonly token: string
  readonly verifiedAt: Date | null
}

/** The text that has to stand in the DNS of a domain. */
export function txtRecord({ token }: Pick<Row, 'token'>): string {
  return DOMAIN_RECORD_PREFIX + token
}

/** A domain as the contract shows it. */
export function toDomain(row: Row): z.output<typeof SsoDomain> {
  return {
    domain: row.domain,
    txt_record: txtRecord(row),
    verified_at: row.verifiedAt?.toISOString() ?? null,
  }
}

/** What is said where the organization has not named it. */
export function noDomain(): OperationError {
  return new OperationError(
    'sso_domain_not_found',
    'The organization has not named this domain. Add it first.',
  )
}
