import { OperationError } from '@bearing/contracts/errors'
import { abandonUpload, appendUpload } from '@bearing/contracts/management/upload'
import type { CallOptions, NatsClient } from '@bearing/nats/client'

/** The parts of one object, which management takes one after the other. */
export class UploadParts {
  private unanswered = false

  constructor(
    private readonly client: NatsClient,
    private readonly objectId: string,
    private readonly origin: CallOptions,
  ) {}

  /**
   * Has one part stored.
   *
   * @param after what the part before was answered with; 0 for the first
   * @returns the place of the part
   * @throws OperationError as `appendUpload` says
   */
  async append(data: Uint8Array, after: number): Promise<number> {
    this.unanswered = true
    try {
      const part = { object_id: this.objectId, after, data }
      const { sequence } = await this.client.call(appendUpload, part, this.origin)
      this.unanswered = false
      return sequence
    } catch (error) {
      // The storage or the service takes no more, and has said so.
      if (error instanceof OperationError && error.code === 'overloaded') this.unanswered = false
      throw error
    }
  }

  /**
   * Has the parts taken away at once where the object will not become complete: they count for the room that its project has.
   * Of a part without an answer nobody knows whether it is still on its way; then all are left for the sweeper, as they are
   * where this fails.
   */
  abandon(): void {
    if (this.unanswered) return
    this.client.call(abandonUpload, { object_id: this.objectId }, this.origin).catch(() => undefined)
  }
}
