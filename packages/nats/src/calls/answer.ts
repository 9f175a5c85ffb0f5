import { OperationError } from '@bearing/contracts/errors'
import { toFailure } from '@bearing/contracts/errors/failure'
import { ERROR_HEADERS } from '@bearing/contracts/headers'
import { headers as natsHeaders, type Msg } from '@nats-io/transport-node'

/** Answers a request with its output, which is JSON. */
export function answer(message: Msg, payload: string, maxPayload: number): void {
  if (payload.length * 3 > maxPayload && Buffer.byteLength(payload) > maxPayload) throw replyTooLarge()
  message.respond(payload)
}

export function replyTooLarge(): OperationError {
  return new OperationError(
    'reply_too_large',
    'The reply is too large to send. Ask for less at a time, for example with a smaller per_page.',
  )
}

/** Answers a request with an error, as the NATS services convention has it (ADR-32). */
export function answerError(message: Msg, error: OperationError): void {
  const headers = natsHeaders()
  headers.set(ERROR_HEADERS.message, headerText(error.message))
  headers.set(ERROR_HEADERS.code, String(error.status))
  message.respond(JSON.stringify(toFailure(error)), { headers })
}

/** A header holds one line of printable ASCII; the body has the full text. */
function headerText(message: string): string {
  return message.replace(/[^\x21-\x7e]+/g, ' ').slice(0, 256)
}
