import type { ExecutionContext } from '@nestjs/common'

/** The parts of a request that guards read: of Express, of Fastify, or a message of NATS. */
export interface BearingRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly params?: Readonly<Record<string, unknown>>
  /** The body of a message. */
  readonly message?: unknown
  /** IP address of the client. Messages have none. */
  readonly ip?: string | undefined
}

/** The part of the context of a NATS message that is read. */
interface MessageContext {
  readonly getHeaders?: () => { readonly get: (name: string) => string } | undefined
}

/** Headers of messages that say who calls. */
const HEADERS = ['bearing-identity', 'authorization', 'service-project-key'] as const

/** The requests of messages, which have none of their own. */
const ofMessages = new WeakMap<object, BearingRequest>()

/** Returns the same request for one call, however often. */
export function requestOf(context: ExecutionContext): BearingRequest {
  if (context.getType() === 'http') return context.switchToHttp().getRequest<BearingRequest>()
  const message = context.switchToRpc().getContext<MessageContext & object>()
  const known = ofMessages.get(message)
  if (known) return known
  const made = { headers: headersOf(message), message: context.switchToRpc().getData<unknown>() }
  ofMessages.set(message, made)
  return made
}

function headersOf(message: MessageContext): BearingRequest['headers'] {
  const headers = message.getHeaders?.()
  return Object.fromEntries(HEADERS.map((name) => [name, readHeader(headers, name)]))
}

/** NATS keeps the case of headers. */
function readHeader(headers: ReturnType<NonNullable<MessageContext['getHeaders']>>, name: string) {
  const written = name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())
  return headers?.get(name) || headers?.get(written) || undefined
}
