import { Buffer } from 'node:buffer'
import type { PresentedCredential } from '@bearing/contracts/identity/credentials/credential'
import { ORGANIZATION_TOKEN } from '@bearing/contracts/principal'

/** A request as a client sends it. */
export interface Sent {
  readonly credential?: PresentedCredential | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON, or as it is where it is a text or bytes. */
  readonly body?: unknown
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; undefined where it is none. */
  readonly json: Json | undefined
}

/** JSON whose shape a test asserts. */
export type Json = Record<string, unknown> & { readonly data?: unknown; readonly code?: string }

/** Sends a request to a gateway, without anything that a client library would add or hide. */
export async function send(gateway: string, method: string, path: string, sent: Sent = {}): Promise<Reply> {
  const body =
    sent.body === undefined || typeof sent.body === 'string' || sent.body instanceof Uint8Array
      ? sent.body
      : JSON.stringify(sent.body)
  const response = await fetch(gateway + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headersOf(sent.credential),
      ...sent.headers,
    },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: parse(text) }
}

/** The header that a credential is sent in. */
export function headersOf(credential: PresentedCredential | undefined): Record<string, string> {
  switch (credential?.kind) {
    case undefined:
      return {}
    case ORGANIZATION_TOKEN:
    case 'legacy_token':
      return { authorization: `Bearer ${credential.token}` }
    case 'user':
      return { authorization: basic(credential.email, credential.secret) }
    case 'device_token':
      return {
        authorization: `Bearer ${credential.token}`,
        ...(credential.project_key !== undefined && { 'service-project-key': credential.project_key }),
      }
    case 'project_key':
      return { 'service-project-key': credential.key }
    case 'device_certificate':
      return { 'client-cert': `:${credential.certificate}:` }
    case 'session':
      return { cookie: `__Host-bearing_session=${credential.token}` }
  }
}

/** A Basic header. */
export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json // asserted by the tests
  } catch {
    return undefined
  }
}
