import { currentCall, type CallContext } from '@bearing/nats/call-context'
import type { LoggerService } from '@nestjs/common'
import { pino, type Logger } from 'pino'

export type { Logger } from 'pino'

/** Names under which a secret could end up in a log object. A second net: nothing is meant to log them. */
const SECRET_NAMES = new Set([
  'authorization',
  'cookie',
  'token',
  'secret',
  'password',
  'api_key',
  'key',
  'claims',
  'seed',
])
/** Levels in pino's numbers. */
const [INFO, WARN] = [30, 40]
/** Depth to which secrets are looked for: lines are flat, errors of libraries are not. */
const MAX_DEPTH = 4
/** Lines are written together: up to so many bytes, … */
const WRITTEN_BYTES = 4_096
/** … and at the latest after so many milliseconds. Warnings and errors are written immediately. */
const WRITTEN_MS = 100

/**
 * Makes the log of a process: JSON lines on standard output. Every line that is written while a call is handled has the
 * call's request id, trace, organization and credential.
 */
export function createLogger(service: string, level: string): Logger {
  return pino(
    {
      level,
      base: { service, pid: process.pid },
      formatters: { log: (fields) => withoutSecrets(fields, MAX_DEPTH) as typeof fields },
      // Runs after the formatter, which leaves the error alone so that its stack is not lost.
      serializers: { err: (error: Error) => withoutSecrets(pino.stdSerializers.err(error), MAX_DEPTH) },
      mixin: fieldsOfCurrentCall,
      hooks: {
        logMethod(args, method, level) {
          method.apply(this, args)
          if (level >= WARN) standardOutput().flushSync()
        },
      },
      timestamp: timeField,
    },
    standardOutput(),
  )
}

/** The beginning of a second, in seconds since 1970, and what all times in it begin with: to write a whole date takes ten times as long. */
let second = { at: NaN, text: '' }

/** Returns the time of a line, in UTC with milliseconds. */
function timeField(): string {
  const nowMs = Date.now()
  const at = Math.floor(nowMs / 1_000)
  if (at !== second.at) second = { at, text: new Date(at * 1_000).toISOString().slice(0, -4) }
  return `,"time":"${second.text}${String(nowMs - at * 1_000).padStart(3, '0')}Z"`
}

/** A character that may stand differently in JSON. Most texts have none. */
const ODD = /[^\x20\x21\x23-\x5b\x5d-\x7e]/

/** A field of a line that {@link linesOf} writes. */
type Field = string | number | boolean | undefined

/**
 * Returns a function that writes lines of one kind, as the log of a process outside of calls writes them at the level `info`: for lines that
 * every request has. It takes a fifth of the time, because it knows the fields.
 *
 * @param service the one of the log
 * @param message of all lines
 * @param names of the fields, in the order in which they are written. Texts and numbers have nothing in them to hide
 * @throws Error if a field has the name of a secret
 */
export function linesOf<Name extends string>(
  service: string,
  message: string,
  names: readonly Name[],
): (fields: Readonly<Partial<Record<Name, Field>>>) => void {
  const secret = names.find((name) => SECRET_NAMES.has(name))
  if (secret !== undefined) throw new Error(`a field of a log line must not be named ${secret}`)
  const begin = `,"service":${JSON.stringify(service)},"pid":${String(process.pid)}`
  const end = `,"msg":${JSON.stringify(message)}}\n`
  const named = names.map((name) => ({ name, text: `,${JSON.stringify(name)}:` }))
  const output = standardOutput()
  return (fields) => {
    let line = `{"level":${String(INFO)}${timeField()}${begin}`
    for (const { name, text } of named) {
      const value: Field = fields[name]
      if (value === undefined) continue
      line += text + jsonOf(value)
    }
    output.write(line + end)
  }
}

function jsonOf(value: string | number | boolean): string {
  if (typeof value === 'string' && !ODD.test(value)) return `"${value}"`
  return Number.isFinite(value) ? String(value) : JSON.stringify(value)
}

/**
 * Returns a value for the log, in which what has the name of a secret is `[redacted]`. The value itself stays as it is;
 * it is copied only if there is something to hide. Values below the depth are not looked into.
 */
function withoutSecrets(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth === 0) return value
  const fields = value as Record<string, unknown>
  let copy: Record<string, unknown> | undefined
  for (const name of Object.keys(fields)) {
    const field = fields[name]
    if (field === undefined || name === 'err') continue
    const shown = SECRET_NAMES.has(name) ? '[redacted]' : withoutSecrets(field, depth - 1)
    if (shown === field) continue
    copy ??= Object.assign(Array.isArray(value) ? [] : {}, fields)
    copy[name] = shown
  }
  return copy ?? value
}

let output: ReturnType<typeof pino.destination> | undefined

/** Standard output, written in pieces; what is left is written when the process exits. */
function standardOutput() {
  if (output) return output
  const made = pino.destination({ fd: 1, sync: true, minLength: WRITTEN_BYTES, periodicFlush: WRITTEN_MS })
  process.on('exit', () => {
    made.flushSync()
  })
  return (output = made)
}

/** A new object: the log adds its own fields to it. */
function fieldsOfCurrentCall(): CallFields {
  const call = currentCall()
  return call ? callFields(call) : {}
}

/** Names of the fields that {@link callFields} returns. */
export const CALL_FIELDS = [
  ...['request_id', 'trace_id', 'organization_id'],
  ...['principal', 'credential_id', 'caller'],
] as const

/** Returns the trace of a context: what is between its first two hyphens. */
function traceIdOf(traceparent: string): string | undefined {
  const begin = traceparent.indexOf('-') + 1
  const end = traceparent.indexOf('-', begin)
  return begin === 0 ? undefined : traceparent.slice(begin, end === -1 ? undefined : end)
}

export type CallFields = Readonly<Partial<Record<(typeof CALL_FIELDS)[number], string | undefined>>>

/** Returns the fields of every log line of a call: ids by which its other lines are found, the organization, and the caller. */
export function callFields({
  requestId,
  traceparent,
  organizationId,
  principal,
}: Omit<CallContext, 'deadlineMs'>): CallFields {
  // All have the same fields: to spread some of them into the others takes several times as long.
  return {
    request_id: requestId,
    trace_id: traceparent && traceIdOf(traceparent),
    organization_id: organizationId,
    principal: principal?.kind,
    credential_id: principal && principal.kind !== 'service' ? principal.credential_id : undefined,
    caller: principal?.kind === 'service' ? principal.name : undefined,
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
