import type { OperationError } from '@bearing/contracts/errors'
import { PermissionViolationError, type Msg, type MsgHdrs } from '@nats-io/transport-node'
import type { Connection } from '../connection.js'
import { serviceOf, type ReplyInboxes } from './reply-inboxes.js'
import { isNoResponders } from './reply.js'
import {
  connectionLost,
  noAnswerInTime,
  nobodyAnswers,
  tooLate,
  transportError,
  unavailable,
} from './transport-error.js'

/** A request that waits for its reply. */
interface UnderWay {
  readonly subject: string
  readonly fail: (error: OperationError) => void
}

/** Sends single requests, each answered once, at inboxes that only the service may publish to that is asked. */
export class RequestSender {
  private readonly underWay = new Set<UnderWay>()

  /** @param answering returns the service that answers a subject */
  constructor(
    private readonly connection: Connection,
    private readonly inboxes: ReplyInboxes,
    private readonly answering = serviceOf,
  ) {
    // Either the requests under way or their replies are lost. Nobody knows which, and waiting would not help.
    connection.disconnected(() => {
      for (const request of [...this.underWay]) request.fail(unavailable(connectionLost(request.subject)))
    })
    connection.refused((refusal) => {
      if (!(refusal instanceof PermissionViolationError)) return
      for (const request of [...this.underWay])
        if (request.subject === refusal.subject) request.fail(transportError(refusal))
    })
  }

  /**
   * Sends a request and waits for its reply.
   *
   * @throws OperationError `service_unavailable` where nobody listens, NATS is lost or refuses the subject,
   *   `deadline_exceeded` where the reply did not come in time
   */
  send(subject: string, body: string | Uint8Array, headers: MsgHdrs, timeoutMs: number): Promise<Msg> {
    return new Promise((resolve, reject) => {
      const inbox = this.inboxes.open(this.answering(subject), {
        received: (reply) => {
          end()
          if (isNoResponders(reply)) reject(unavailable(nobodyAnswers(subject)))
          else resolve(reply)
        },
        refused: (refusal) => {
          fail(transportError(refusal))
        },
      })
      const fail = (error: OperationError) => {
        end()
        reject(error)
      }
      const timer = setTimeout(() => {
        fail(tooLate(noAnswerInTime(subject)))
      }, timeoutMs)
      const request: UnderWay = { subject, fail }
      this.underWay.add(request)
      const end = () => {
        clearTimeout(timer)
        inbox.close()
        this.underWay.delete(request)
      }
      try {
        this.connection.raw.publish(subject, body, { headers, reply: inbox.subject })
      } catch (error) {
        fail(transportError(error))
      }
    })
  }
}
