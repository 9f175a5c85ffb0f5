import { OperationError } from '@bearing/contracts/errors'
import { PART_BYTES } from '@bearing/contracts/management/upload'

/** Who has sent no part for so long has to make room for anybody, in milliseconds: that is less than 500 bytes a second. */
const SLOW_MS = 300_000

/** What an upload has while it is under way. */
export interface UploadPlace {
  /** Aborted where somebody else gets the place, with the error for the client as the reason. */
  readonly signal: AbortSignal
  /** To be told of bytes that were taken, as they are taken. */
  moved(bytes: number): void
}

/**
 * The places for uploads of one process: each upload holds some memory for as long as its client likes, so there are only so
 * many. Where all are taken, an upload gets that of one which has stood still for minutes, or else one of the organization that
 * has most of them, as long as that has more than the one that asks: no organization keeps the others out, however many slow
 * clients it has.
 */
export class UploadPlaces {
  private readonly held = new Set<Place>()

  /**
   * @param count how many there are
   * @param nowMs the time in milliseconds, of a clock that never goes back
   */
  constructor(
    private readonly count: number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /**
   * Does the work of an upload in a place.
   *
   * @param organizationId whose upload it is
   * @throws OperationError `overloaded` where there is no place for it; and what `work` throws
   */
  async hold<T>(organizationId: string, work: (place: UploadPlace) => Promise<T>): Promise<T> {
    if (this.held.size >= this.count) this.makeRoom(organizationId)
    const place = new Place(organizationId, this.nowMs)
    this.held.add(place)
    try {
      return await work(place)
    } finally {
      this.held.delete(place)
    }
  }

  private makeRoom(organizationId: string): void {
    const slowest = [...this.held].sort((one, other) => one.partSince - other.partSince)
    const still = slowest.find(({ partSince }) => this.nowMs() - partSince > SLOW_MS)
    const given = still ?? this.slowestOfMost(slowest, organizationId)
    if (!given) throw overloaded('Too many uploads are under way here.')
    this.held.delete(given)
    given.end(overloaded('Too many uploads are under way here, and this one was the slowest.'))
  }

  /** Of the organization with most places, where it keeps at least as many as the one that asks will have. */
  private slowestOfMost(slowest: readonly Place[], organizationId: string): Place | undefined {
    const counts = new Map([[organizationId, 1]])
    for (const { organizationId: id } of slowest) counts.set(id, (counts.get(id) ?? 0) + 1)
    const own = counts.get(organizationId) ?? 1
    const most = Math.max(...counts.values())
    return most > own ? slowest.find((place) => counts.get(place.organizationId) === most) : undefined
  }
}

class Place implements UploadPlace {
  private readonly controller = new AbortController()
  private bytes = 0
  /** Since when the client is busy with the part that it sends now. */
  partSince: number

  constructor(
    readonly organizationId: string,
    private readonly nowMs: () => number,
  ) {
    this.partSince = nowMs()
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  moved(bytes: number): void {
    this.bytes += bytes
    if (this.bytes < PART_BYTES) return
    this.bytes = 0
    this.partSince = this.nowMs()
  }

  end(reason: OperationError): void {
    this.controller.abort(reason)
  }
}

function overloaded(what: string): OperationError {
  return new OperationError('overloaded', `${what} Try again shortly.`, { retry_after: 5 })
}
