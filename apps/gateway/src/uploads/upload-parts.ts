import { OperationError } from '@bearing/contracts/errors'
import { abandonUpload, appendUpload } from '@bearing/contracts/management/data/upload'
import type { CallOptions, NatsClient } from '@bearing/nats/client'

/** Sends the parts of one object to management, one after the other. */
export class UploadParts {
  private unanswered = false

  constructor(
    private readonly client: NatsClient,
    private readonly objectId: string,
    private readonly origin: CallOptions,
  ) {}

  /**
   * Stores one part.
   *
   * @param after the sequence of the part before; 0 for the first
   * @returns the sequence of the part
   * @throws OperationError of `appendUpload`
   */
  async append(data: Uint8Array, after: number): Promise<number> {
    this.unanswered = true
    try {
      const part = { object_id: this.objectId, after, data }
      const { sequence } = await this.client.call(appendUpload, part, this.origin)
      this.unanswered = false
      return sequence
    } catch (error) {
      // The service responded that it did not store the part.
      if (error instanceof OperationError && error.code === 'overloaded') this.unanswered = false
      throw error
    }
  }

  /**
   * Deletes the parts of an object that will not be completed: they count toward the quota of its project. A part without a
   * response may still arrive; then all parts are left to the sweep, as they are if this call fails.
   */
  abandon(): void {
    if (this.unanswered) return
    this.client.call(abandonUpload, { object_id: this.objectId }, this.origin).catch(() => undefined)
  }
}
