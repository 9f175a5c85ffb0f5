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

/**
 * Time for which a request without a receiver is sent again, in milliseconds. A process that is replaced, or that changes its NATS
 * server, is missing for less.
 */
const AGAIN_MS = 600
/** The first time between two attempts, which doubles, and the longest one, in milliseconds. */
const [FIRST_MS, LONGEST_MS] = [10, 320]

/** A request that waits for its reply. */
interface UnderWay {
  readonly subject: string
  readonly fail: (error: OperationError) => void
}

/** Sends single requests, each answered once, at inboxes that only the service may publish to that is asked. */
export class RequestSender {
  private readonly underWay = new Set<UnderWay>()

  /**
   * @param answering returns the service that answers a subject
   * @param againMs time for which a request without a receiver is sent again, in milliseconds; never longer than it may wait for its reply
   */
  constructor(
    private readonly connection: Connection,
    private readonly inboxes: ReplyInboxes,
    private readonly answering = serviceOf,
    private readonly againMs = AGAIN_MS,
  ) {
    // Either the requests under way or their replies are lost. Nobody knows which, and waiting would not help.
    connection.disconnected(() => {
      for (const request of [...this.underWay]) request.fail(unavailable(connectionLost(request.subject)))
    })
    connection.waitsFor(() => this.underWay.size)
    connection.refused((refusal) => {
      if (!(refusal instanceof PermissionViolationError)) return
      for (const request of [...this.underWay])
        if (request.subject === refusal.subject) request.fail(transportError(refusal))
    })
  }

  /**
   * Sends a request and waits for its reply. Where nobody listens it is sent again for a while: nobody has received it.
   *
   * @throws OperationError `service_unavailable` where nobody listens, NATS is lost or refuses the subject,
   *   `deadline_exceeded` where the reply did not come in time
   */
  send(subject: string, body: string | Uint8Array, headers: MsgHdrs, timeoutMs: number): Promise<Msg> {
    return new Promise((resolve, reject) => {
      const inbox = this.inboxes.open(this.answering(subject), {
        received: (reply) => {
          if (isNoResponders(reply)) {
            sendAgain()
            return
          }
          end()
          resolve(reply)
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
      let again: NodeJS.Timeout | undefined
      const end = () => {
        clearTimeout(timer)
        clearTimeout(again)
        inbox.close()
        this.underWay.delete(request)
      }
      const publish = () => {
        try {
          this.connection.raw.publish(subject, body, { headers, reply: inbox.subject })
        } catch (error) {
          fail(transportError(error))
        }
      }
      const startedMs = performance.now()
      let delayMs = FIRST_MS
      const sendAgain = () => {
        if (performance.now() + delayMs > startedMs + this.againMs) {
          fail(unavailable(nobodyAnswers(subject)))
          return
        }
        again = setTimeout(publish, delayMs)
        delayMs = Math.min(2 * delayMs, LONGEST_MS)
      }
      publish()
    })
  }
}
