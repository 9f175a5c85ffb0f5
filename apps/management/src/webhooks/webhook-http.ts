import { OperationError } from '@bearing/contracts/errors'
import { GuardedHttp, OutboundError, secureUrl, type RecordOutcome } from '@bearing/outbound/guarded-http'

/** Sends deliveries to the URLs of customers. */
export class WebhookHttp extends GuardedHttp {
  /** @param privateRanges private IP ranges that the operator allows, also without TLS */
  constructor(privateRanges: readonly string[], timeoutMs: number, record?: RecordOutcome) {
    super(
      {
        privateRanges,
        plainRanges: privateRanges,
        timeoutMs,
        // The status line and the headers decide (RFC 9110 §15).
        maxBytes: 0,
      },
      record,
    )
  }

  /**
   * Refuses a URL that every attempt would refuse. Host names are resolved only by attempts.
   *
   * @throws OperationError `invalid_input`
   */
  refuseInput(text: string, kind: string): void {
    try {
      const url = new URL(text)
      if ((url.protocol === 'tls:') !== (kind === 'syslog'))
        throw new OutboundError('not_allowed', 'syslog needs tls://host:port, other kinds https')
      if (url.username !== '' || url.password !== '')
        throw new OutboundError('not_allowed', 'it contains credentials')
      this.refuse(secureUrl(url))
    } catch (cause) {
      const why = cause instanceof OutboundError ? cause.message : 'it is not a URL'
      const detail = `must be a URL that Bearing may send to: ${why}`
      throw new OperationError(
        'invalid_input',
        'The URL of the webhook is not allowed. Use a public HTTPS URL without credentials; an operator can allow private networks (WEBHOOK_PRIVATE_RANGES).',
        {
          errors: [{ pointer: '/url', detail }],
        },
      )
    }
  }
}
