import { Buffer } from 'node:buffer'
import { NO_FALLBACK, type LocationFallback } from '@bearing/contracts/location/settings/location-fallback'
import { OperationError } from '@bearing/contracts/errors'
import { SecretBox, UnknownKeyError } from '@bearing/service/store/secret-box'
import { Injectable } from '@nestjs/common'
import type { z } from 'zod'

const PURPOSE = 'location fallback key'

/** A row of `location_fallbacks`. */
export interface FallbackRow {
  readonly organizationId: string
  readonly url: string
  readonly keyBox: Uint8Array<ArrayBuffer> | null
  readonly keyId: string | null
  readonly keyAs: string
  readonly accuracyConfidence: number
  readonly requestsPerMinute: number
  readonly timeoutMs: number
  readonly updatedAt: Date
}

/** Returns how the key is sent. The database lets in nothing else. */
export function keyPlaceOf({ keyAs }: Pick<FallbackRow, 'keyAs'>): 'query' | 'bearer' {
  return keyAs === 'bearer' ? 'bearer' : 'query'
}

/** Returns the fallback of an organization as it is shown, without its key. */
export function viewFallback(row: FallbackRow | null): z.output<typeof LocationFallback> {
  if (!row) return NO_FALLBACK
  return {
    url: row.url,
    has_key: row.keyBox !== null,
    accuracy_confidence: row.accuracyConfidence,
    requests_per_minute: row.requestsPerMinute,
    timeout_ms: row.timeoutMs,
    key_as: keyPlaceOf(row),
  }
}

/** Stores the keys of providers: sealed, bound to their organization and URL, so that none is ever sent elsewhere. */
@Injectable()
export class FallbackKeys {
  constructor(private readonly box: SecretBox) {}

  /** Returns what to store. */
  seal(organizationId: string, url: string, key: string): Pick<FallbackRow, 'keyBox' | 'keyId'> {
    const { box, keyId } = this.box.seal(PURPOSE, subjectOf(organizationId, url), Buffer.from(key))
    return { keyBox: box, keyId }
  }

  /**
   * Returns the key; undefined if there is none.
   *
   * @throws OperationError `service_unavailable` where what it was sealed under is missing: that is an operator's mistake
   */
  open({ organizationId, url, keyBox, keyId }: FallbackRow): string | undefined {
    if (keyBox === null || keyId === null) return undefined
    try {
      const plain = this.box.open(PURPOSE, subjectOf(organizationId, url), { box: keyBox, keyId })
      return Buffer.from(plain).toString()
    } catch (cause) {
      if (!(cause instanceof UnknownKeyError)) throw cause
      throw new OperationError(
        'service_unavailable',
        'The key of the fallback cannot be read now.',
        {},
        { cause },
      )
    }
  }
}

function subjectOf(organizationId: string, url: string): string {
  return JSON.stringify([organizationId, url])
}
