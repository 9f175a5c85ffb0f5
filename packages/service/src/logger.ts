import { currentCall } from '@bearing/nats/call-context'
import type { LoggerService } from '@nestjs/common'
import { pino, type Logger } from 'pino'

export type { Logger } from 'pino'

/** Names under which a secret could end up in a log object. A second net: nothing is meant to log them. */
const REDACTED = [
  'authorization',
  'cookie',
  'token',
  'secret',
  'password',
  'api_key',
  'key',
  'claims',
  'seed',
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`])

/**
 * Makes the log of a process: JSON lines on standard output. Every line that is written while a call is handled has the
 * call's request id, trace and principal.
 */
export function createLogger(service: string, level: string): Logger {
  return pino({
    level,
    base: { service, pid: process.pid },
    redact: { paths: REDACTED, censor: '[redacted]' },
    mixin: callFields,
    timestamp: pino.stdTimeFunctions.isoTime,
  })
}

function callFields(): Record<string, unknown> {
  const call = currentCall()
  if (!call) return {}
  const traceId = call.traceparent?.split('-')[1]
  return {
    request_id: call.requestId,
    ...(traceId && { trace_id: traceId }),
    ...(call.principal &&
      call.principal.kind !== 'service' && {
        principal: call.principal.kind,
        credential_id: call.principal.credential_id,
      }),
  }
}

/** Lets Nest write into our log. */
export class NestLog implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, String(message))
  }

  warn(message: unknown, context?: unknown): void {
    this.logger.warn({ context }, String(message))
  }

  error(message: unknown, ...rest: unknown[]): void {
    const error = message instanceof Error ? message : undefined
    this.logger.error(
      { ...(error && { err: error }), context: rest.at(-1) },
      error ? error.message : String(message),
    )
  }
}
