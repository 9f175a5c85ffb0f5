import type { Route } from '@bearing/contracts/routes'
import { z } from 'zod'
import { ProblemError, UnexpectedReplyError } from './errors.js'
import { isOnlyNewer } from './is-only-newer.js'

/** The largest part of a foreign reply that is shown, in characters. */
const EXCERPT_LENGTH = 120

/** A problem document as far as it is needed. Unknown members are ignored, and so are known ones that make no sense. */
const ProblemDocument = z.object({
  code: z.string(),
  title: z.string().catch(''),
  detail: z.string().optional().catch(undefined),
  type: z.string().optional().catch(undefined),
  request_id: z.string().optional().catch(undefined),
  reason: z.string().optional().catch(undefined),
  retry_after: z.number().optional().catch(undefined),
  errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).catch([]),
})

/**
 * Reads the reply to a call.
 *
 * @param nowMs the time, for a `Retry-After` that is a date
 * @returns the output of the operation, without fields that the contract does not know. If a value is one that only a newer server
 *   knows, such as a further kind or state, the output is as the server has sent it
 * @throws ProblemError where the server refuses, UnexpectedReplyError where the reply is not one of Bearing
 */
export async function readReply(route: Route, response: Response, nowMs: number): Promise<unknown> {
  const requestId = response.headers.get('x-request-id') ?? undefined
  refuseRedirect(response, requestId)
  const text = await response.text()
  if (route.mayBeEmpty && response.status === 204) return null
  const body = parseJson(text)
  if (body === undefined) throw foreignReply(response, text, requestId)
  if (!response.ok) throw problemOf(response, body, nowMs) ?? foreignReply(response, text, requestId)
  // A body without such a member is undefined here, which no output allows.
  const output: unknown =
    route.envelope === 'data' && body !== null ? (body as { data?: unknown }).data : body
  const parsed = route.operation.output.safeParse(output)
  if (parsed.success) return parsed.data
  if (isOnlyNewer(output, parsed.error.issues)) return output
  const place = parsed.error.issues[0]?.path.join('.') ?? ''
  throw new UnexpectedReplyError(
    response.status,
    `The reply does not match the contract${place && ` at "${place}"`}. Is the server of another version than this client?`,
    requestId,
  )
}

/** Seconds until a repetition makes sense, from the header `Retry-After` (RFC 9110 §10.2.3). */
export function retryAfterSeconds(response: Response, nowMs: number): number | undefined {
  const header = response.headers.get('retry-after')?.trim()
  if (!header) return undefined
  if (/^\d+$/.test(header)) return Number(header)
  const dateMs = Date.parse(header)
  return Number.isNaN(dateMs) ? undefined : Math.max(0, (dateMs - nowMs) / 1_000)
}

/** Credentials stay with the address they were meant for. Browsers show a redirect as status 0 and hide the target. */
function refuseRedirect(response: Response, requestId: string | undefined): void {
  const redirected = response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)
  if (!redirected) return
  const target = targetOrigin(response)
  throw new UnexpectedReplyError(
    response.status,
    `The server redirects${target && ` to ${target}`}; this is not followed, to keep the credential from going elsewhere. If that is the gateway, use its address directly.`,
    requestId,
  )
}

function targetOrigin(response: Response): string {
  const location = response.headers.get('location')
  if (!location) return ''
  return URL.parse(location, response.url || undefined)?.origin ?? ''
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function problemOf(response: Response, body: unknown, nowMs: number): ProblemError | undefined {
  const parsed = ProblemDocument.safeParse(body)
  if (!parsed.success) return undefined
  const { code, title, detail, type, reason, errors } = parsed.data
  const requestId = response.headers.get('x-request-id') ?? parsed.data.request_id
  const retryAfter = retryAfterSeconds(response, nowMs) ?? parsed.data.retry_after
  return new ProblemError({
    status: response.status,
    code,
    title,
    detail: detail ?? (title || `The server refused with status ${String(response.status)}.`),
    mistakes: errors,
    ...(type !== undefined && { type }),
    ...(reason !== undefined && { reason }),
    ...(requestId !== undefined && { requestId }),
    ...(retryAfter !== undefined && { retryAfter }),
  })
}

function foreignReply(response: Response, text: string, requestId: string | undefined): UnexpectedReplyError {
  const type = response.headers.get('content-type')?.split(';')[0] ?? 'no content type'
  const excerpt = text
    .replace(/<(script|style)\b[^]*?<\/\1>|<[^>]*>/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, EXCERPT_LENGTH)
  return new UnexpectedReplyError(
    response.status,
    `The answer (status ${String(response.status)}, ${type}) is not from Bearing: a proxy in between, or another server at this address?${excerpt && ` It says: ${excerpt}`}`,
    requestId,
  )
}
