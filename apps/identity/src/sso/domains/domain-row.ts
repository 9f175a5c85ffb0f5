import { OperationError } from '@bearing/contracts/errors'
import { DOMAIN_RECORD_PREFIX, type SsoDomain } from '@bearing/contracts/identity/sso/sso-domain'
import type { z } from 'zod'

interface Row {
  readonly domain: string
  readonly token: string
  readonly verifiedAt: Date | null
}

/** Returns the text that the DNS of a domain must contain. */
export function txtRecord({ token }: Pick<Row, 'token'>): string {
  return DOMAIN_RECORD_PREFIX + token
}

/** Returns a domain as the contract has it. */
export function toDomain(row: Row): z.output<typeof SsoDomain> {
  return {
    domain: row.domain,
    txt_record: txtRecord(row),
    verified_at: row.verifiedAt?.toISOString() ?? null,
  }
}

/** The organization has not added the domain. */
export function noDomain(): OperationError {
  return new OperationError(
    'sso_domain_not_found',
    'The organization has not added this domain. Add it first.',
  )
}
