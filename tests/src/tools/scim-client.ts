import type { TestOrganization } from '@bearing/testing/factories'

type Json = Readonly<Record<string, unknown>>

/** A reply of SCIM. */
export interface ScimAnswer {
  readonly status: number
  readonly headers: Headers
  readonly json: Json
}

/** Sends a request by SCIM, as a provider does. */
export type SendScim = (
  method: string,
  path: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<ScimAnswer>

/** Returns a client of a connection. */
export function scimClient(
  gateway: string,
  { slug }: Pick<TestOrganization, 'slug'>,
  connectionId: string,
  token: string,
): SendScim {
  return async (method, path, body, headers = {}) => {
    const reply = await fetch(`${gateway}/scim/v2/organizations/${slug}/${connectionId}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/scim+json; charset=utf-8' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    return {
      status: reply.status,
      headers: reply.headers,
      json: text === '' ? {} : (JSON.parse(text) as Json),
    }
  }
}

/** Creates a token that can only push. @param connectionId the only connection that it pushes to */
export async function newScimToken(
  { slug, admin }: Pick<TestOrganization, 'slug' | 'admin'>,
  connectionId?: string,
): Promise<string> {
  const { token } = await admin.client.call('createOrganizationToken', {
    organization: slug,
    description: 'SCIM',
    permissions: ['scim:provision'],
    ...(connectionId !== undefined && { scim_connection_id: connectionId }),
  })
  return token
}
