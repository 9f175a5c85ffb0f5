import { Injectable } from '@nestjs/common'
import type { Scope } from '../ground/scope.js'
import { PositionStore, type PositionToStore } from './position-store.js'

/** What a caller wants with a position. */
interface Request extends Scope {
  readonly confidence: number
  readonly reply: boolean
  readonly device_id?: string | null | undefined
}

/** Where something is, as it is answered. */
type Resolved = Omit<PositionToStore, 'confidence' | 'fallback'> & { readonly fallback?: true | undefined }

/** Answers callers who asked for a position, after it is stored for the device that they named. */
@Injectable()
export class ResolvedAnswer {
  constructor(private readonly store: PositionStore) {}

  /**
   * The answer: null where the caller wants none. Who names no device waits for nothing.
   *
   * @throws where it is not known whether it was stored: nobody is told that a position is known which may be lost
   */
  async of<R extends Resolved>(
    request: Request,
    resolved: R,
  ): Promise<(R & { readonly stored?: boolean }) | null> {
    const { device_id, confidence, reply } = request
    if (device_id === undefined || device_id === null) return reply ? resolved : null
    const stored = await this.store.store(request, device_id, {
      ...resolved,
      confidence,
      fallback: resolved.fallback === true,
    })
    return reply ? { ...resolved, stored } : null
  }
}
