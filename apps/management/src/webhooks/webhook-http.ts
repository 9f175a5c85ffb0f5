import { OperationError } from '@bearing/contracts/errors'
import { GuardedHttp, OutboundError, type OutboundTold } from '@bearing/outbound/guarded-http'

/** Of a reply, only its status counts. */
const MAX_BYTES = 1_024

/** Sends deliveries to where customers want them. */
export class WebhookHttp extends GuardedHttp {
  /** @param privateRanges what the operator allows beside public addresses, there without TLS too */
  constructor(privateRanges: readonly string[], timeoutMs: number, told?: OutboundTold) {
    super(
      {
        privateRanges,
        plainRanges: privateRanges,
        timeoutMs,
        maxBytes: MAX_BYTES,
        beyondMaxBytes: 'cut',
      },
      told,
    )
  }

  /**
   * Refuses an address that can be seen to be refused at every attempt. Names are looked up then.
   *
   * @throws OperationError `invalid_input`
   */
  refuseInput(text: string): void {
    try {
      const url = new URL(text)
      if (url.username !== '' || url.password !== '')
        throw new OutboundError('not_allowed', 'it holds a user')
      this.refuse(url)
    } catch (cause) {
      const why = cause instanceof OutboundError ? cause.message : 'it is none'
      const detail = `must be an address that Bearing may send to: ${why}`
      throw new OperationError('invalid_input', 'The address of the webhook is not allowed.', {
        errors: [{ pointer: '/url', detail }],
      })
    }
  }
}
