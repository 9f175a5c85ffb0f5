import { currentCall, type CallContext } from '@bearing/nats/call-context'
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
 * call's request id, trace, organization and credential.
 */
export function createLogger(service: string, level: string): Logger {
  return pino({
    level,
    base: { service, pid: process.pid },
    redact: { paths: REDACTED, censor: '[redacted]' },
    mixin: fieldsOfCurrentCall,
    timestamp: pino.stdTimeFunctions.isoTime,
  })
}

function fieldsOfCurrentCall(): Record<string, unknown> {
  const call = currentCall()
  return call ? callFields(call) : {}
}

/** What every log line of a call has: whose it is, what it is about, and what its other lines are found by. */
export function callFields({
  requestId,
  traceparent,
  organizationId,
  principal,
}: Omit<CallContext, 'deadlineMs'>): Record<string, unknown> {
  return {
    request_id: requestId,
    trace_id: traceparent?.split('-')[1],
    organization_id: organizationId,
    ...(principal && principal.kind !== 'service'
      ? { principal: principal.kind, credential_id: principal.credential_id }
      : principal && { principal: principal.kind, caller: principal.name }),
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
