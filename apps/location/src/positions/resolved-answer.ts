import { given, type LeftOut } from '@bearing/contracts/location/access-points/left-out'
import { confidenceOf, wantsReply } from '@bearing/contracts/location/lookups/location-options'
import { Injectable } from '@nestjs/common'
import type { Scope } from '../ground/scope.js'
import { PositionStore, type PositionToStore } from './position-store.js'

interface Request extends Scope {
  readonly confidence: number | LeftOut
  readonly reply: boolean | LeftOut
  readonly device_id?: string | null | undefined | LeftOut
  readonly config?:
    | { readonly hiConf?: boolean | null | undefined; readonly doReply?: boolean | null | undefined }
    | null
    | undefined
}

type Resolved = Omit<PositionToStore, 'confidence' | 'fallback'> & { readonly fallback?: true | undefined }

/** Stores a position for the device that the caller named, and answers then. */
@Injectable()
export class ResolvedAnswer {
  constructor(private readonly store: PositionStore) {}

  /**
   * Returns the answer, or null if the caller wants none.
   *
   * @throws if it is unknown whether the position was stored
   */
  async of<R extends Resolved>(
    request: Request,
    resolved: R,
  ): Promise<(R & { readonly stored?: boolean }) | null> {
    const device_id = given(request.device_id)
    const confidence = confidenceOf(request)
    const reply = wantsReply(request)
    if (device_id === undefined || device_id === null) return reply ? resolved : null
    const stored = await this.store.store(request, device_id, {
      ...resolved,
      confidence,
      fallback: resolved.fallback === true,
    })
    return reply ? { ...resolved, stored } : null
  }
}
