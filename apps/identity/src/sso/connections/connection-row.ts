import { OperationError } from '@bearing/contracts/errors'
import { RoleMapping } from '@bearing/contracts/identity/sso/role-mapping'
import type { SsoConnection } from '@bearing/contracts/identity/sso/sso-connection'
import type { z } from 'zod'

/** The columns to read. `pepperId` only shows whether there is a client secret. */
export const SHOWN = {
  id: true,
  name: true,
  issuer: true,
  clientId: true,
  pepperId: true,
  keyPepperId: true,
  scopes: true,
  justInTime: true,
  emailTrusted: true,
  followsEmail: true,
  roleMapping: true,
  enabled: true,
  createdAt: true,
} as const

interface Row {
  readonly id: string
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  readonly pepperId: string | null
  readonly keyPepperId: string | null
  readonly scopes: string[]
  readonly justInTime: boolean
  readonly emailTrusted: boolean
  readonly followsEmail: boolean
  readonly roleMapping: unknown
  readonly enabled: boolean
  readonly createdAt: Date
}

/** Returns a connection as the contract has it. */
export function toConnection(row: Row): z.output<typeof SsoConnection> {
  return {
    id: row.id,
    name: row.name,
    issuer: row.issuer,
    client_id: row.clientId,
    has_client_secret: row.pepperId !== null,
    client_authentication: row.keyPepperId === null ? 'client_secret' : 'private_key_jwt',
    jwks_path: row.keyPepperId === null ? null : `/auth/sso/${row.id}/jwks.json`,
    scopes: row.scopes,
    just_in_time: row.justInTime,
    email_trusted: row.emailTrusted,
    follows_email: row.followsEmail,
    role_mapping: RoleMapping.nullable().parse(row.roleMapping),
    enabled: row.enabled,
    backchannel_logout_path: `/auth/sso/${row.id}/backchannel_logout`,
    callback_path: callbackPath(row.id),
    sign_in_path: signInPath(row.id),
    created_at: row.createdAt.toISOString(),
  }
}

/** Returns the path of the redirect URI. Each connection has its own, against mix-up attacks (RFC 9700 §4.4). */
export function callbackPath(connectionId: string): string {
  return `/auth/sso/${connectionId}/callback`
}

/** Returns the path where people sign in through a connection. */
export function signInPath(connectionId: string): string {
  return `/auth/sso/${connectionId}/start`
}

/** The connection does not exist, or belongs to another organization. */
export function noConnection(): OperationError {
  return new OperationError('sso_connection_not_found', 'There is no such single sign-on connection.')
}
