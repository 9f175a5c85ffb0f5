import type { Msg } from '@nats-io/transport-node'
import { z } from 'zod'

/** JetStream's answer to a message that it was given. */
export type Acknowledgement =
  /** It is stored, at this place of the stream, counted from 1. */
  | { readonly sequence: number }
  /** It is not. */
  | { readonly code: number; readonly description: string }

const Stored = z.object({ stream: z.string().min(1), seq: z.int().min(1), error: z.undefined().optional() })
const Refused = z.object({ error: z.object({ err_code: z.int(), description: z.string().default('') }) })

/**
 * Reads what JetStream answers.
 *
 * @returns undefined where that says nothing
 * @see https://docs.nats.io/reference/reference-protocols/nats_api_reference
 */
export function acknowledgementOf(reply: Msg): Acknowledgement | undefined {
  const answer = parsed(reply)
  const stored = Stored.safeParse(answer)
  if (stored.success) return { sequence: stored.data.seq }
  const refused = Refused.safeParse(answer)
  if (!refused.success) return undefined
  const { err_code: code, description } = refused.data.error
  return { code, description }
}

function parsed(reply: Msg): unknown {
  try {
    return reply.json()
  } catch {
    return undefined
  }
}
