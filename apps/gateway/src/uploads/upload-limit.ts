import { OperationError } from '@bearing/contracts/errors'
import { PART_BYTES } from '@bearing/contracts/management/data/upload'

/** An upload that completes no part for so long may be ended for any other, in milliseconds: less than 500 bytes a second. */
const SLOW_MS = 300_000

/** An upload that is counted. */
export interface ActiveUpload {
  /** Aborts if another upload takes over, with the error for the client as the reason. */
  readonly signal: AbortSignal
  /** Records the progress of the upload. */
  received(bytes: number): void
}

/**
 * Limits the uploads of a process, because each holds memory for as long as its client sends. At the limit, a new upload
 * replaces one that made no progress for minutes, or else the slowest one of the organization with the most uploads, as long
 * as that organization has more than the new one's. So no organization can block the others, however slow its clients are.
 */
export class UploadLimit {
  private readonly active = new Set<Upload>()

  /** @param nowMs the time in milliseconds, of a clock that never goes back */
  constructor(
    private readonly limit: number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /**
   * Runs the work of an upload.
   *
   * @throws OperationError `overloaded` at the limit; or an error of `work`
   */
  async run<T>(organizationId: string, work: (upload: ActiveUpload) => Promise<T>): Promise<T> {
    if (this.active.size >= this.limit) this.endOne(organizationId)
    const upload = new Upload(organizationId, this.nowMs)
    this.active.add(upload)
    try {
      return await work(upload)
    } finally {
      this.active.delete(upload)
    }
  }

  private endOne(organizationId: string): void {
    const slowest = [...this.active].sort((one, other) => one.partSince - other.partSince)
    const stalled = slowest.find(({ partSince }) => this.nowMs() - partSince > SLOW_MS)
    const ended = stalled ?? this.slowestOfMost(slowest, organizationId)
    if (!ended) throw overloaded('Too many uploads are in progress.')
    this.active.delete(ended)
    ended.end(overloaded('Too many uploads are in progress, and this one was the slowest.'))
  }

  /** Returns the slowest upload of the organization with the most, unless the new upload's has as many. */
  private slowestOfMost(slowest: readonly Upload[], organizationId: string): Upload | undefined {
    const counts = new Map([[organizationId, 1]])
    for (const { organizationId: id } of slowest) counts.set(id, (counts.get(id) ?? 0) + 1)
    const own = counts.get(organizationId) ?? 1
    const most = Math.max(...counts.values())
    return most > own ? slowest.find((upload) => counts.get(upload.organizationId) === most) : undefined
  }
}

class Upload implements ActiveUpload {
  private readonly controller = new AbortController()
  private bytes = 0
  /** Start of the current part, as the client sends it. */
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

  received(bytes: number): void {
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
